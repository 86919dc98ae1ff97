import { type RawBuilder, sql } from 'kysely'
import type { listClaims as endpoint, ReviewFilter } from '#contract/dashboard/review.ts'
import type { QueryOf, ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { pageOf } from '#server/platform/page.ts'
import { recordSeenRevisions } from '../claims/decisions/optimistic-lock.ts'
import {
  type Matches,
  matchingClaims,
  MAX_MATCHES,
  patternOf,
  prefixOf,
  readMatches,
} from '../claims/search.ts'
import { readCursor, writeCursor, orderOf } from './order.ts'
import { readRows } from './read-rows.ts'
import { IS_FLAGGED, IS_IN_BAND } from './risk-bands.ts'

type Query = QueryOf<typeof endpoint>

/** One page of a filtered list. Records that the reviewer has seen these revisions. */
export async function listClaims(
  deps: Deps,
  reviewerId: string,
  query: Query,
): Promise<ReplyOf<typeof endpoint>> {
  const { db, campaign } = deps
  const order = orderOf(query)
  const matching = query.search === undefined ? undefined : await findClaims(db, campaign.id, query.search)
  const conditions = [
    sql`c.campaign_id = ${campaign.id}`,
    FILTERS[query.filter],
    ...(query.risk ? [IS_IN_BAND[query.risk]] : []),
    ...(query.cursor === undefined ? [] : [order.after(readCursor(order, query.cursor))]),
  ]
  const claims = sql`
    select c.*, row_number() over (order by ${order.by}) as place
    from ${matching ? claimsWithIds(matching.ids) : sql`claims`} c
    where ${sql.join(conditions, sql` and `)} order by ${order.by} limit ${query.limit + 1}`
  const rows = await readRows(db, reviewerId, { claims, key: order.keyOf })
  const { data, next } = pageOf(rows, query.limit, ({ key }) => writeCursor(order, key))
  const shownRevisions = data.map(({ row }) => ({ claimId: row._id, revision: Number(row.revision) }))
  await recordSeenRevisions(db, reviewerId, shownRevisions)
  return { data: data.map(({ row }) => row), next, isSearchCut: matching?.isCut ?? false }
}

/**
 * Finds the claims whose wallet, handle, or participant's name or email begins with a text. Each kind of
 * match uses its own index, such as `users_by_name_prefix`: one condition with `or` would read every row.
 * `maxPerKind` also counts accounts without claims, because any account beyond the limit may have a claim.
 */
function findClaims(db: Database, campaignId: string, text: string) {
  const pattern = patternOf(prefixOf(text))
  const query = sql<Matches>`
  with by_name as (select id from users where lower(username) like ${pattern} limit ${MAX_MATCHES}),
  by_email as (select id from users where email_key like ${pattern} limit ${MAX_MATCHES}),
  by_proof (kind, id) as (${matchingClaims('id', campaignId, pattern)}),
  found as (
    select c.id from claims c where c.campaign_id = ${campaignId}
      and c.user_id in (select id from by_name union select id from by_email)
    union select id from by_proof)
  select array_agg(id) as ids, greatest((select count(*) from by_name), (select count(*) from by_email),
    (select max(times) from (select count(*) as times from by_proof group by kind) counts)) as "maxPerKind"
  from found`
  return readMatches(db, query)
}

/**
 * The claims with these ids. Uses the index `claims_pkey`. Without `offset 0`, PostgreSQL would read the
 * waiting claims in the order of the list until a page of them have these ids.
 */
const claimsWithIds = (ids: readonly string[]) =>
  sql`(select * from claims where id = any(${ids}::uuid[]) offset 0)`

const FILTERS: Record<ReviewFilter, RawBuilder<boolean>> = {
  waiting: sql`c.decided_at is null`,
  flagged: sql`c.decided_at is null and ${IS_FLAGGED}`,
  appealed: sql`c.id in (select a.claim_id from appeals a where a.campaign_id = c.campaign_id and a.answered_at is null)`,
  decided: sql`c.decided_at is not null`,
  all: sql`true`,
}
