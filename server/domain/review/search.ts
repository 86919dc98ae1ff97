import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** Matches considered of each kind. */
const MAX_MATCHES = 500

/**
 * Finds the claims whose participant's name or email, or whose handle or wallet, begins with a text; ignores
 * case and a leading @.
 * @returns the claims' ids; `isCut` if there may be more matches than were considered.
 */
export async function findClaims(
  db: Database,
  campaignId: string,
  text: string,
): Promise<{ ids: string[]; isCut: boolean }> {
  const pattern = `${text
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await matches(campaignId, pattern).execute(db)
  const [found] = rows
  // Counted before joining claims: accounts beyond the limit may have some.
  return { ids: found?.ids ?? [], isCut: (found?.most ?? 0) >= MAX_MATCHES }
}

/** `most`: the number of matches of the kind that has most. */
type Matches = { ids: string[] | null; most: number }

/**
 * Query for the claims that match a pattern. Each kind of match is a range of its own index, users_by_name_prefix to
 * claims_by_twitter_prefix: a single condition with `or` would read all accounts and claims.
 */
const matches = (campaignId: string, pattern: string): RawBuilder<Matches> => sql`
  with by_name as (select id from users where lower(username) like ${pattern} limit ${MAX_MATCHES}),
  by_email as (select id from users where email_key like ${pattern} limit ${MAX_MATCHES}),
  by_proof (kind, id) as (
    (select 'wallet', id from claims
      where campaign_id = ${campaignId} and lower(wallet) like ${pattern} limit ${MAX_MATCHES})
    union all (select 'telegram', id from claims
      where campaign_id = ${campaignId} and lower(telegram) like ${pattern} limit ${MAX_MATCHES})
    union all (select 'twitter', id from claims
      where campaign_id = ${campaignId} and lower(twitter) like ${pattern} limit ${MAX_MATCHES})),
  found as (
    select c.id from claims c where c.campaign_id = ${campaignId}
      and c.user_id in (select id from by_name union select id from by_email)
    union select id from by_proof)
  select array_agg(id) as ids, greatest((select count(*) from by_name), (select count(*) from by_email),
    (select max(times) from (select count(*) as times from by_proof group by kind) counts)) as most
  from found`
