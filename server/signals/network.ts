import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tx } from '../platform/database.ts'

/** They say who is at the other end of the cable, not where somebody is: a proxy that nobody trusts, a test. */
const INNER = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'])

/** The /24 or /64 of a caller's network; undefined for what is no public address. */
export function prefixOf(network: string): string | undefined {
  const text = network.replace(/\/64$/, '')
  if (!ipaddr.isValid(text)) return undefined
  const address = ipaddr.process(text)
  if (INNER.has(address.range())) return undefined
  if (address instanceof ipaddr.IPv6) return `${address.toString()}/64`
  return `${address.octets.slice(0, 3).join('.')}.0/24`
}

type Visit = { userId: string; event: 'sign-up' | 'claim'; network: string }

/** Remembers from where somebody signed up or claimed, as a keyed hash of the prefix; the last time counts. */
export async function recordNetworkVisit(
  tx: Tx,
  { campaign, keys }: Pick<Deps, 'campaign' | 'keys'>,
  { userId, event, network }: Visit,
): Promise<void> {
  const prefix = prefixOf(network)
  if (!prefix) return
  const hash = keys.hmac('network', campaign.id, prefix).subarray(0, 16)
  await tx
    .insertInto('network_visits')
    .values({ campaign_id: campaign.id, user_id: userId, event, prefix: hash })
    .onConflict((conflict) =>
      conflict.columns(['campaign_id', 'user_id', 'event']).doUpdateSet({ prefix: hash, at: sql`now()` }),
    )
    .execute()
}

/** Forgets networks a day after the campaign is closed, and after 90 days at most. */
export async function purgeNetworks({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<void> {
  await sql`
    delete from network_visits where at < now() - interval '90 days'
      or (campaign_id = ${campaign.id} and now() > ${campaign.airdrop.closesAt}::timestamptz + interval '1 day')`.execute(
    db,
  )
}
