import { type RawBuilder, sql } from 'kysely'
import type { listClaims as endpoint, ReviewFilter, ReviewRow } from '#contract/dashboard/review.ts'
import type { QueryOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { recordSeenRevisions } from '../claims/decisions/optimistic-lock.ts'
import { readCursor, writeCursor, type Order, orderOf } from './order.ts'
import { readRows } from './read-rows.ts'
import { IS_IN_BAND } from './risk-bands.ts'
import { findClaims } from './search.ts'

type Query = QueryOf<typeof endpoint>
type Page = { data: ReviewRow[]; next: string | null; isSearchCut: boolean }

/** One page of a filtered list, by cursor pagination. Records the revisions shown as seen by the reviewer. */
export async function listClaims(deps: Deps, reviewerId: string, query: Query): Promise<Page> {
  const { db, campaign } = deps
  const order = orderOf(query)
  const found = query.search === undefined ? undefined : await findClaims(db, campaign.id, query.search)
  const conditions = [
    sql`c.campaign_id = ${campaign.id}`,
    FILTERS[query.filter],
    ...(query.risk ? [IS_IN_BAND[query.risk]] : []),
    ...(query.cursor === undefined ? [] : [after(order, query.cursor)]),
  ]
  const claims = sql`
    select c.*, row_number() over (order by ${order.by}) as place
    from ${found ? claimsWithIds(found.ids) : sql`claims`} c
    where ${sql.join(conditions, sql` and `)} order by ${order.by} limit ${query.limit + 1}`
  const rows = await readRows(db, reviewerId, { claims, key: order.keyOf })
  const page = rows.slice(0, query.limit)
  await recordSeenRevisions(
    db,
    reviewerId,
    page.map(({ row }) => ({ claimId: row._id, revision: Number(row.revision) })),
  )
  const last = rows.length > query.limit ? page.at(-1) : undefined
  return {
    data: page.map(({ row }) => row),
    next: last ? writeCursor(order, last.key) : null,
    isSearchCut: found?.isCut ?? false,
  }
}

/**
 * The claims with these ids, by `claims_pkey`. Without `offset 0`, PostgreSQL would read all waiting claims
 * in the order of the list until it has found a page of these.
 */
const claimsWithIds = (ids: readonly string[]) =>
  sql`(select * from claims where id = any(${ids}::uuid[]) offset 0)`

const after = (order: Order, cursor: string) => order.after(readCursor(order, cursor))

const FILTERS: Record<ReviewFilter, RawBuilder<boolean>> = {
  waiting: sql`c.decided_at is null`,
  flagged: sql`c.decided_at is null and c.risk_order < 0`,
  appealed: sql`c.id in (select a.claim_id from appeals a where a.campaign_id = c.campaign_id and a.answered_at is null)`,
  decided: sql`c.decided_at is not null`,
}
