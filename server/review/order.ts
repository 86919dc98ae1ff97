import { type RawBuilder, sql } from 'kysely'
import type { ReviewFilter } from '#contract/review.ts'

/** One order of claims `c`: what it sorts by, the key of a row, and what comes after a key. */
export type Order = {
  /** Stands in the cursor, so that one of another order is refused. */
  name: string
  by: RawBuilder<unknown>
  /** As text: the database's times are finer than those of JavaScript. */
  key: RawBuilder<unknown>
  after: (key: readonly string[]) => RawBuilder<boolean>
}

const OLDEST: Order = {
  name: 'oldest',
  by: sql`c.submitted_at, c.id`,
  key: sql`array[c.submitted_at::text, c.id::text]`,
  after: ([at, id]) => sql`(c.submitted_at, c.id) > (${at}::timestamptz, ${id}::uuid)`,
}

const RISKIEST: Order = {
  name: 'riskiest',
  by: sql`c.risk_order, c.submitted_at, c.id`,
  key: sql`array[c.risk_order::text, c.submitted_at::text, c.id::text]`,
  after: ([risk, at, id]) =>
    sql`(c.risk_order, c.submitted_at, c.id) > (${risk}::integer, ${at}::timestamptz, ${id}::uuid)`,
}

const LATEST: Order = {
  name: 'latest',
  by: sql`c.decided_at desc, c.id desc`,
  key: sql`array[c.decided_at::text, c.id::text]`,
  after: ([at, id]) => sql`(c.decided_at, c.id) < (${at}::timestamptz, ${id}::uuid)`,
}

/** From the oldest or the riskiest; what is decided from the latest decision. */
export function orderOf({ filter, sort }: { filter: ReviewFilter; sort: 'age' | 'risk' }): Order {
  if (sort === 'risk') return RISKIEST
  return filter === 'decided' ? LATEST : OLDEST
}
