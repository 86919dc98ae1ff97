import { type RawBuilder, sql } from 'kysely'
import type { ReviewFilter } from '#contract/review.ts'

/** `micros`: microseconds since 1970, because the database's times are finer than those of JavaScript. */
export type KeyPart = 'risk' | 'micros' | 'id'

/** One order of claims `c`: what it sorts by, the key of a row as texts, and what comes after a key. */
export type Order = {
  /** Stands in the cursor, so that one of another order is refused. */
  name: string
  by: RawBuilder<unknown>
  /** What the key is made of. */
  key: readonly KeyPart[]
  keyOf: RawBuilder<unknown>
  after: (key: readonly string[]) => RawBuilder<boolean>
}

const asMicros = (column: RawBuilder<unknown>) => sql`(extract(epoch from ${column}) * 1000000)::bigint::text`
const asTime = (micros: string | undefined) =>
  sql`'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond'`

const OLDEST: Order = {
  name: 'oldest',
  by: sql`c.submitted_at, c.id`,
  key: ['micros', 'id'],
  keyOf: sql`array[${asMicros(sql`c.submitted_at`)}, c.id::text]`,
  after: ([at, id]) => sql`(c.submitted_at, c.id) > (${asTime(at)}, ${id}::uuid)`,
}

const RISKIEST: Order = {
  name: 'riskiest',
  by: sql`c.risk_order, c.submitted_at, c.id`,
  key: ['risk', 'micros', 'id'],
  keyOf: sql`array[c.risk_order::text, ${asMicros(sql`c.submitted_at`)}, c.id::text]`,
  after: ([risk, at, id]) =>
    sql`(c.risk_order, c.submitted_at, c.id) > (${risk}::integer, ${asTime(at)}, ${id}::uuid)`,
}

const LATEST: Order = {
  name: 'latest',
  by: sql`c.decided_at desc, c.id desc`,
  key: ['micros', 'id'],
  keyOf: sql`array[${asMicros(sql`c.decided_at`)}, c.id::text]`,
  after: ([at, id]) => sql`(c.decided_at, c.id) < (${asTime(at)}, ${id}::uuid)`,
}

/** From the oldest or the riskiest; what is decided from the latest decision. */
export function orderOf({ filter, sort }: { filter: ReviewFilter; sort: 'age' | 'risk' }): Order {
  if (sort === 'risk') return RISKIEST
  return filter === 'decided' ? LATEST : OLDEST
}
