import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** Matches considered of each kind. */
const MAX_MATCHES = 500

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Accounts with that id, or whose username, email, connected Telegram handle, or wallet or handle in a claim
 * of the campaign begins with a text; or whose proven wallet it is. Ignores case and a leading @.
 * @returns `isCut` if there may be more matches than were considered.
 */
export async function findPeople(
  db: Database,
  campaignId: string,
  text: string,
): Promise<{ ids: string[]; isCut: boolean }> {
  if (UUID.test(text)) return { ids: [text.toLowerCase()], isCut: false }
  const start = text.toLowerCase().replace(/^@/, '')
  const pattern = `${start.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await matches(campaignId, { pattern, whole: start }).execute(db)
  const [found] = rows
  return { ids: found?.ids ?? [], isCut: (found?.most ?? 0) >= MAX_MATCHES }
}

/** `most`: the number of matches of the kind that has most. */
type Matches = { ids: string[] | null; most: number }

/**
 * Query for the accounts that match a pattern. Each kind of match is a range of its own index,
 * users_by_name_prefix to telegram_accounts_by_name_prefix; a proven wallet is found by its whole address.
 */
const matches = (
  campaignId: string,
  { pattern, whole }: { pattern: string; whole: string },
): RawBuilder<Matches> => sql`
  with found (kind, id) as (
    (select 'name', id from users where lower(username) like ${pattern} limit ${MAX_MATCHES})
    union all (select 'email', id from users where email_key like ${pattern} limit ${MAX_MATCHES})
    union all (select 'wallet', user_id from claims
      where campaign_id = ${campaignId} and lower(wallet) like ${pattern} limit ${MAX_MATCHES})
    union all (select 'telegram', user_id from claims
      where campaign_id = ${campaignId} and lower(telegram) like ${pattern} limit ${MAX_MATCHES})
    union all (select 'twitter', user_id from claims
      where campaign_id = ${campaignId} and lower(twitter) like ${pattern} limit ${MAX_MATCHES})
    union all (select 'connected', user_id from telegram_accounts
      where lower(username) like ${pattern} limit ${MAX_MATCHES})
    union all select 'proven', user_id from proven_wallets
      where campaign_id = ${campaignId} and lower(address) = ${whole})
  select array_agg(distinct id) as ids,
    (select max(times) from (select count(*) as times from found group by kind) counts) as most
  from found`
