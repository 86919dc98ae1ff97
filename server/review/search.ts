import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'

/** How many of each kind are looked at. */
const AT_MOST = 500

/**
 * The claims of whoever's name or e-mail, and those whose handle or wallet, begins with a text, without regard
 * to case and to an @ before a handle. `isCut`: there are more than were looked at.
 */
export async function findClaims(
  db: Database,
  campaignId: string,
  text: string,
): Promise<{ ids: string[]; isCut: boolean }> {
  const begins = `${text
    .toLowerCase()
    .replace(/^@/, '')
    .replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<{ ids: string[] | null; most: number }>`
    with named as (select id from users where lower(username) like ${begins} limit ${AT_MOST}),
    mailed as (select id from users where email_key like ${begins} limit ${AT_MOST}),
    proven (kind, id) as (
      (select 'wallet', id from claims
        where campaign_id = ${campaignId} and lower(wallet) like ${begins} limit ${AT_MOST})
      union all (select 'telegram', id from claims
        where campaign_id = ${campaignId} and lower(telegram) like ${begins} limit ${AT_MOST})
      union all (select 'twitter', id from claims
        where campaign_id = ${campaignId} and lower(twitter) like ${begins} limit ${AT_MOST})),
    found as (
      select c.id from claims c where c.campaign_id = ${campaignId}
        and c.user_id in (select id from named union select id from mailed)
      union select id from proven)
    select array_agg(id) as ids, greatest((select count(*) from named), (select count(*) from mailed),
      (select max(times) from (select count(*) as times from proven group by kind) counts)) as most
    from found`.execute(db)
  const [found] = rows
  // Also where most of those who fit have not claimed: others who fit may have.
  return { ids: found?.ids ?? [], isCut: (found?.most ?? 0) >= AT_MOST }
}
