import ipaddr from 'ipaddr.js'
import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { deleteInBatches } from '#server/platform/database/delete-in-batches.ts'

/** Addresses in these ranges come from untrusted proxies and from tests, and identify no network. */
const NOT_PUBLIC = new Set([
  'loopback',
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
  'unspecified',
])

/** The /24 of an IPv4 address, or an IPv6 /64 as it is. Undefined unless the address is public. */
export function prefixOf(network: string): string | undefined {
  const text = network.replace(/\/64$/, '')
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  if (NOT_PUBLIC.has(address.range())) return undefined
  if (address instanceof ipaddr.IPv6) return `${address.toString()}/64`
  return `${address.octets.slice(0, 3).join('.')}.0/24`
}

type NetworkDeps = Pick<Deps, 'campaign' | 'keys'>
type NetworkVisit = { userId: string; event: 'sign-up' | 'claim'; network: string }

/** Stores a keyed hash of a registration's or claim's network prefix, in place of the user's last one. */
export async function recordNetworkVisit(tx: Tx, deps: NetworkDeps, visit: NetworkVisit): Promise<void> {
  await networkVisitSql(deps, visit)?.execute(tx)
}

/**
 * {@link recordNetworkVisit} as a part of a larger statement. Undefined unless the address is public.
 * @param fromClause records nothing if this clause yields no row.
 */
export function networkVisitSql(
  { campaign, keys }: NetworkDeps,
  { userId, event, network }: NetworkVisit,
  fromClause = sql``,
): RawBuilder<unknown> | undefined {
  const prefix = prefixOf(network)
  if (!prefix) return undefined
  const hash = keys.hmac('network', campaign.id, prefix).subarray(0, 16)
  return sql`
    insert into network_visits (campaign_id, user_id, event, prefix)
    select ${campaign.id}, ${userId}, ${event}, ${hash} ${fromClause}
    on conflict (campaign_id, user_id, event) do update set prefix = excluded.prefix, at = now()`
}

/** Deletes network visits a day after their campaign closes, but after 90 days at the latest. */
export async function purgeNetworks({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<void> {
  const closedADayAgo = sql`now() > ${campaign.airdrop.closesAt}::timestamptz + interval '1 day'`
  await deleteVisits(db, sql`at < now() - interval '90 days'`)
  await deleteVisits(db, sql`campaign_id = ${campaign.id} and ${closedADayAgo}`)
  for (const id of await readArchivedWithVisits(db, campaign.id))
    await deleteVisits(db, sql`campaign_id = ${id}`)
}

/**
 * The archived campaigns that closed more than a day ago and still have visits. Without stored settings, the
 * time of archiving counts as the close. Uses the index `network_visits_pkey`.
 */
async function readArchivedWithVisits(db: Deps['db'], currentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from campaigns c where archived_at is not null and id <> ${currentId}
      and now() > coalesce((settings #>> '{airdrop,closesAt}')::timestamptz, archived_at) + interval '1 day'
      and (select true from network_visits where campaign_id = c.id limit 1)`.execute(db)
  return rows.map(({ id }) => id)
}

const deleteVisits = (db: Deps['db'], condition: RawBuilder<boolean>) =>
  deleteInBatches(db, 'network_visits', condition)
