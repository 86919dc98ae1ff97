import { type RawBuilder, sql } from 'kysely'
import type {
  AccountState,
  listPeople as endpoint,
  PeopleFilter,
  PersonRow,
} from '#contract/dashboard/people.ts'
import type { QueryOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { pageOf } from '#server/platform/page.ts'
import { latestClaim } from '../claims/latest-claim.ts'
import {
  type Matches,
  matchingClaims,
  MAX_MATCHES,
  patternOf,
  prefixOf,
  readMatches,
} from '../claims/search.ts'
import { UUID } from './find-account.ts'

type Query = QueryOf<typeof endpoint>
type Page = { data: PersonRow[]; next: string | null; isSearchCut: boolean }

/**
 * Lists the newest accounts first, and a cursor is an account's id. An exception is the filter `claimed`
 * without search and cluster: it lists the newest claims first, and a cursor is a claim's id.
 */
export async function listPeople({ db, campaign }: Deps, query: Query): Promise<Page> {
  const matching = query.search === undefined ? undefined : await findPeople(db, campaign.id, query.search)
  const { rows } = await selectPage(campaign.id, query, matching?.ids).execute(db)
  const { data, next } = pageOf(rows, query.limit, ({ key }) => key)
  return {
    data: data.map(({ key: _key, ...row }) => ({ ...row, registeredAt: row.registeredAt.toISOString() })),
    next,
    isSearchCut: matching?.isCut ?? false,
  }
}

/**
 * Finds accounts by their whole id or proven wallet, or by the beginning of their username, email, connected
 * Telegram handle, or a wallet or handle in a claim of the campaign. Ignores case and a leading @.
 * Uses the indexes `users_by_name_prefix`, `users_by_email_prefix`, those of {@link matchingClaims},
 * `telegram_accounts_by_name_prefix` and `proven_wallets_one_participant`.
 */
async function findPeople(db: Database, campaignId: string, text: string) {
  if (UUID.test(text)) return { ids: [text.toLowerCase()], isCut: false }
  const prefix = prefixOf(text)
  const pattern = patternOf(prefix)
  const query = sql<Matches>`
  with found (kind, id) as (
    (select 'name', id from users where lower(username) like ${pattern} limit ${MAX_MATCHES})
    union all (select 'email', id from users where email_key like ${pattern} limit ${MAX_MATCHES})
    union all ${matchingClaims('user_id', campaignId, pattern)}
    union all (select 'connected', user_id from telegram_accounts
      where lower(username) like ${pattern} limit ${MAX_MATCHES})
    union all select 'proven', user_id from proven_wallets
      where campaign_id = ${campaignId} and lower(address) = ${prefix})
  select array_agg(distinct id) as ids,
    (select max(times) from (select count(*) as times from found group by kind) counts) as "maxPerKind"
  from found`
  return readMatches(db, query)
}

type StoredRow = Omit<PersonRow, 'registeredAt'> & { key: string; registeredAt: Date }

/** The state of the user `u` of a statement. */
export const ACCOUNT_STATE = sql<AccountState>`case when u.deleted_at is not null then 'deleted'
  when u.banned_at is not null then 'banned' else 'open' end`

/** Uses primary keys and the unique index of attempts. */
const selectPage = (
  campaignId: string,
  query: Query,
  ids: readonly string[] | undefined,
): RawBuilder<StoredRow> => sql`
  select p.key, u.id as _id, u.username, u.email, u.role, u.created_at as "registeredAt", ${ACCOUNT_STATE} as state,
    c.status as "claimStatus", coalesce(s.total, 0) as "totalPoints", k.cluster_id as "clusterId"
  from (${pageIds(campaignId, query, ids)}) p
  join users u on u.id = p.id
  left join lateral ${latestClaim(campaignId, sql.ref('u.id'))} c on true
  left join standings s on s.campaign_id = ${campaignId} and s.user_id = u.id
  left join clusters k on k.campaign_id = ${campaignId} and k.user_id = u.id
  order by p.place`

function pageIds(campaignId: string, query: Query, ids: readonly string[] | undefined): RawBuilder<unknown> {
  if (!ids && query.filter === 'claimed' && !query.cluster) return claimants(campaignId, query)
  return accounts(campaignId, query, ids)
}

/** @param ids if given, only accounts with these ids match. */
function accounts(
  campaignId: string,
  { filter, cluster, cursor, limit }: Query,
  ids: readonly string[] | undefined,
): RawBuilder<unknown> {
  const conditions = [
    FILTERS[filter](campaignId),
    ...(ids ? [sql`u.id = any(${ids}::uuid[])`] : []),
    // An array, so that PostgreSQL reads the cluster first.
    ...(cluster ? [sql`u.id = any(array(${membersOf(campaignId, cluster)}))`] : []),
    ...(cursor ? [sql`u.id < ${cursor}::uuid`] : []),
  ]
  return sql`
    select u.id, u.id::text as key, row_number() over (order by u.id desc) as place from users u
    where ${sql.join(conditions, sql` and `)} order by u.id desc limit ${limit + 1}`
}

/** More than a person would page through. */
const MAX_MEMBERS = 10_000

/** Uses the index `clusters_members`. */
const membersOf = (campaignId: string, cluster: string) => sql`
  select user_id from clusters where campaign_id = ${campaignId} and cluster_id = ${cluster}
  limit ${MAX_MEMBERS}`

const FILTERS: Record<PeopleFilter, (campaignId: string) => RawBuilder<boolean>> = {
  all: () => sql`true`,
  // `banned` uses the index `users_suspended`, `administrators` the index `users_administrators`.
  banned: () => sql`u.banned_at is not null and u.deleted_at is null`,
  administrators: () => sql`u.role = 'admin'`,
  claimed: (campaignId) =>
    sql`exists (select from claims c where c.campaign_id = ${campaignId} and c.user_id = u.id)`,
}

/** Uses the index `claims_first_attempts`, backwards. */
const claimants = (campaignId: string, { cursor, limit }: Query): RawBuilder<unknown> => sql`
  select c.user_id as id, c.id::text as key, row_number() over (order by c.submitted_at desc, c.id desc) as place
  from claims c where c.campaign_id = ${campaignId} and c.attempt = 1
    ${cursor ? sql`and (c.submitted_at, c.id) < (select b.submitted_at, b.id from claims b where b.id = ${cursor})` : sql``}
  order by c.submitted_at desc, c.id desc limit ${limit + 1}`
