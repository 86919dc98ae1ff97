import { type RawBuilder, sql } from 'kysely'
import type { ReviewFilter } from '#contract/review.ts'

/** `micros`: microseconds since 1970, the resolution of the database's times. */
export type KeyPart = 'risk' | 'micros' | 'id'

/** An order of claims `c` for cursor pagination. */
export type Order = {
  /** Part of the cursor, so that one of another order is refused. */
  name: string
  by: RawBuilder<unknown>
  /** Types of the key's parts. */
  key: readonly KeyPart[]
  /** A row's key as a text array. */
  keyOf: RawBuilder<unknown>
  /** Condition for the rows after a key. */
  after: (key: readonly string[]) => RawBuilder<boolean>
}

const asMicros = (column: RawBuilder<unknown>) => sql`(extract(epoch from ${column}) * 1000000)::bigint::text`
const asTime = (micros: string | undefined) =>
  sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`

/** Waiting claims are read in the order of claims_waiting. */
const OLDEST: Order = {
  name: 'oldest',
  by: sql`c.submitted_at, c.id`,
  key: ['micros', 'id'],
  keyOf: sql`array[${asMicros(sql`c.submitted_at`)}, c.id::text]`,
  after: ([at, id]) => sql`(c.submitted_at, c.id) > (${asTime(at)}, ${id}::uuid)`,
}

/** Read in the order of claims_waiting_by_risk or claims_decided_by_risk. */
const RISKIEST: Order = {
  name: 'riskiest',
  by: sql`c.risk_order, c.submitted_at, c.id`,
  key: ['risk', 'micros', 'id'],
  keyOf: sql`array[c.risk_order::text, ${asMicros(sql`c.submitted_at`)}, c.id::text]`,
  after: ([risk, at, id]) =>
    sql`(c.risk_order, c.submitted_at, c.id) > (${risk}::integer, ${asTime(at)}, ${id}::uuid)`,
}

/** Read in the order of claims_decided. */
const LATEST: Order = {
  name: 'latest',
  by: sql`c.decided_at desc, c.id desc`,
  key: ['micros', 'id'],
  keyOf: sql`array[${asMicros(sql`c.decided_at`)}, c.id::text]`,
  after: ([at, id]) => sql`(c.decided_at, c.id) < (${asTime(at)}, ${id}::uuid)`,
}

/** By risk, or by age: the oldest claims first, but the latest decisions. */
export function orderOf({ filter, sort }: { filter: ReviewFilter; sort: 'age' | 'risk' }): Order {
  if (sort === 'risk') return RISKIEST
  return filter === 'decided' ? LATEST : OLDEST
}
