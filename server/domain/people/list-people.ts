import { type RawBuilder, sql } from 'kysely'
import type { Role } from '#contract/accounts/role.ts'
import type { ClaimStatus } from '#contract/entities.ts'
import type {
  AccountState,
  listPeople as endpoint,
  PeopleFilter,
  PersonRow,
} from '#contract/dashboard/people.ts'
import type { QueryOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import { findPeople } from './find-people.ts'

type Query = QueryOf<typeof endpoint>
type Page = { data: PersonRow[]; next: string | null; isSearchCut: boolean }

/** One page of a filtered list of accounts, newest first. A cursor is the id by which its list is ordered. */
export async function listPeople({ db, campaign }: Deps, query: Query): Promise<Page> {
  const found = query.search === undefined ? undefined : await findPeople(db, campaign.id, query.search)
  const { rows } = await pageOf(campaign.id, query, found?.ids).execute(db)
  const page = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? page.at(-1) : undefined
  return {
    data: page.map(asRow),
    next: last?.key ?? null,
    isSearchCut: found?.isCut ?? false,
  }
}

type Stored = {
  key: string
  id: string
  username: string
  email: string
  role: Role
  state: AccountState
  created_at: Date
  claim_status: ClaimStatus | null
  total: number | null
  cluster_id: string | null
}

/** Whether an account `u` is open. */
export const ACCOUNT_STATE = sql<AccountState>`case when u.deleted_at is not null then 'deleted'
  when u.banned_at is not null then 'banned' else 'open' end`

/** Joins a page of accounts with what a row shows: by primary keys, and by the unique index of attempts. */
const pageOf = (
  campaignId: string,
  query: Query,
  ids: readonly string[] | undefined,
): RawBuilder<Stored> => sql`
  select p.key, u.id, u.username, u.email, u.role, u.created_at, ${ACCOUNT_STATE} as state, c.status as claim_status, s.total,
    k.cluster_id
  from (${selected(campaignId, query, ids)}) p
  join users u on u.id = p.id
  left join lateral ${latestClaim(campaignId, sql.ref('u.id'))} c on true
  left join standings s on s.campaign_id = ${campaignId} and s.user_id = u.id
  left join clusters k on k.campaign_id = ${campaignId} and k.user_id = u.id
  order by p.place`

function selected(campaignId: string, query: Query, ids: readonly string[] | undefined): RawBuilder<unknown> {
  if (!ids && query.filter === 'claimed' && !query.cluster) return claimants(campaignId, query)
  return accounts(campaignId, query, ids)
}

/** Accounts by id: of a search, of a cluster, or all that the filter's index has. */
function accounts(
  campaignId: string,
  { filter, cluster, cursor, limit }: Query,
  ids: readonly string[] | undefined,
): RawBuilder<unknown> {
  const conditions = [
    FILTERS[filter](campaignId),
    ...(ids ? [sql`u.id = any(${ids}::uuid[])`] : []),
    // An array, so that the cluster is read first.
    ...(cluster ? [sql`u.id = any(array(${membersOf(campaignId, cluster)}))`] : []),
    ...(cursor ? [sql`u.id < ${cursor}::uuid`] : []),
  ]
  return sql`
    select u.id, u.id::text as key, row_number() over (order by u.id desc) as place from users u
    where ${sql.join(conditions, sql` and `)} order by u.id desc limit ${limit + 1}`
}

/** In clusters_members; more than a person would page through are left out. */
const membersOf = (campaignId: string, cluster: string) => sql`
  select user_id from clusters where campaign_id = ${campaignId} and cluster_id = ${cluster} limit 10000`

const FILTERS: Record<PeopleFilter, (campaignId: string) => RawBuilder<boolean>> = {
  all: () => sql`true`,
  // With users_suspended and users_administrators.
  banned: () => sql`u.banned_at is not null and u.deleted_at is null`,
  administrators: () => sql`u.role = 'admin'`,
  claimed: (campaignId) =>
    sql`exists (select from claims c where c.campaign_id = ${campaignId} and c.user_id = u.id)`,
}

/** In claims_first_attempts, backwards. */
const claimants = (campaignId: string, { cursor, limit }: Query): RawBuilder<unknown> => sql`
  select c.user_id as id, c.id::text as key, row_number() over (order by c.submitted_at desc, c.id desc) as place
  from claims c where c.campaign_id = ${campaignId} and c.attempt = 1
    ${cursor ? sql`and (c.submitted_at, c.id) < (select b.submitted_at, b.id from claims b where b.id = ${cursor})` : sql``}
  order by c.submitted_at desc, c.id desc limit ${limit + 1}`

function asRow(stored: Stored): PersonRow {
  return {
    _id: stored.id,
    username: stored.username,
    email: stored.email,
    role: stored.role,
    state: stored.state,
    registeredAt: stored.created_at.toISOString(),
    claimStatus: stored.claim_status,
    totalPoints: stored.total ?? 0,
    clusterId: stored.cluster_id,
  }
}
