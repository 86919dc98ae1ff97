import { sql } from 'kysely'
import type { SignalKind } from '#contract/signals.ts'
import type { Tx } from '../platform/database.ts'
import { disposableDomainOf } from './disposable.ts'
import { findSameText } from './post-text.ts'
import { BUSY_FROM, BUSY_NETWORK_WEIGHT, COUNTED, QUICK, STAR_FROM, WEIGHTS } from './weights.ts'
import type { Facts } from './words.ts'

/** The claim that is weighed and its participant. */
export type WeightedSignal = {
  id: string
  campaign_id: string
  user_id: string
  status: string
  submitted_at: Date
  email_key: string
  email_twin: string
  referred_by: string | null
  joined_at: Date
}

export type FoundSignals = {
  kind: SignalKind
  weight: number
  facts: Facts
  /** The accounts that this one is joined to by it, {@link COUNTED} and one at most. */
  joins: string[]
}

/** Everything that speaks for a claim's participant being somebody who claimed as well, or nobody at all. */
export async function findSignals(tx: Tx, claim: WeightedSignal): Promise<FoundSignals[]> {
  const joining = [
    joined('email-twin', await findTwins(tx, claim)),
    joined('reused-proof', await findReusedProof(tx, claim)),
    joined('same-text', await findSameText(tx, claim.id)),
    ...(await findSharedNetwork(tx, claim)),
  ].filter(({ facts }) => (facts.others ?? 0) > 0)
  const domain = disposableDomainOf(claim.email_key)
  const seconds = Math.round((claim.submitted_at.getTime() - claim.joined_at.getTime()) / 1000)
  const others = await countStar(tx, claim)
  return [
    ...joining,
    ...(domain ? [alone('disposable-email', { domain })] : []),
    ...((await isRing(tx, claim, joining)) ? [alone('referral-ring', {})] : []),
    ...(seconds < QUICK ? [alone('quick-proof', { seconds: Math.max(0, seconds) })] : []),
    ...(others >= STAR_FROM ? [alone('referral-star', { others })] : []),
  ]
}

const joined = (kind: SignalKind, joins: string[]): FoundSignals => ({
  kind,
  weight: WEIGHTS[kind],
  facts: { others: joins.length },
  joins,
})

const alone = (kind: SignalKind, facts: Facts): FoundSignals => ({
  kind,
  weight: WEIGHTS[kind],
  facts,
  joins: [],
})

const MOST = COUNTED + 1
type Ids = { user_id: string }[]
const idsOf = (rows: Ids) => rows.map((row) => row.user_id)

async function findTwins(tx: Tx, { campaign_id, user_id, email_twin }: WeightedSignal): Promise<string[]> {
  const { rows } = await sql<Ids[number]>`
    select id as user_id from users u
    where email_twin = ${email_twin} and id <> ${user_id}
      and exists (select from claims where campaign_id = ${campaign_id} and user_id = u.id)
    order by id limit ${MOST}`.execute(tx)
  return idsOf(rows)
}

/** Two live claims share nothing; what a rejected one gave is free again, and may turn up at somebody else's. */
async function findReusedProof(tx: Tx, { campaign_id, user_id }: WeightedSignal): Promise<string[]> {
  const shared = sql`(lower(other.wallet) = lower(own.wallet) or lower(other.telegram) = lower(own.telegram)
    or lower(other.twitter) = lower(own.twitter) or other.post_id = own.post_id)`
  // In two halves: the indexes are of live claims and of rejected ones.
  const { rows } = await sql<Ids[number]>`
    select distinct found.user_id from claims own, lateral (
      select other.user_id from claims other
      where other.campaign_id = own.campaign_id and other.status = 'rejected' and ${shared}
      union all
      select other.user_id from claims other
      where other.campaign_id = own.campaign_id and other.status <> 'rejected' and ${shared}) found
    where own.campaign_id = ${campaign_id} and own.user_id = ${user_id} and found.user_id <> ${user_id}
    order by found.user_id limit ${MOST}`.execute(tx)
  return idsOf(rows)
}

/** Of a network that many use within a day the signal stays, lighter, and joins nobody. */
async function findSharedNetwork(tx: Tx, { campaign_id, user_id }: WeightedSignal): Promise<FoundSignals[]> {
  const around = (span: string, limit: number) => sql<Ids[number]>`
    select distinct other.user_id
    from network_visits own join network_visits other
      on other.campaign_id = own.campaign_id and other.prefix = own.prefix and other.user_id <> own.user_id
      and other.at between own.at - ${span}::interval and own.at + ${span}::interval
    where own.campaign_id = ${campaign_id} and own.user_id = ${user_id}
      and exists (select from claims where campaign_id = ${campaign_id} and user_id = other.user_id)
    limit ${limit}`
  const near = idsOf((await around('1 hour', MOST).execute(tx)).rows)
  if (near.length === 0) return []
  const busy = (await around('12 hours', BUSY_FROM).execute(tx)).rows.length >= BUSY_FROM
  const found = joined('shared-network', near)
  return [
    busy ? { ...found, weight: BUSY_NETWORK_WEIGHT, facts: { ...found.facts, busy }, joins: [] } : found,
  ]
}

/** Whether this participant's inviter, or somebody they invited, is joined to them by something else. */
async function isRing(
  tx: Tx,
  { user_id, referred_by }: WeightedSignal,
  joining: readonly FoundSignals[],
): Promise<boolean> {
  const others = joining.flatMap(({ joins }) => joins)
  if (others.length === 0) return false
  if (referred_by && others.includes(referred_by)) return true
  const invited = await tx
    .selectFrom('users')
    .select('id')
    .where('referred_by', '=', user_id)
    .where('id', 'in', others)
    .executeTakeFirst()
  return invited !== undefined
}

/** How many others that the same person invited claimed within an hour of this claim. */
async function countStar(
  tx: Tx,
  { campaign_id, user_id, referred_by, submitted_at }: WeightedSignal,
): Promise<number> {
  if (!referred_by) return 0
  const { rows } = await sql`
    select distinct c.user_id from users u join claims c on c.user_id = u.id and c.campaign_id = ${campaign_id}
    where u.referred_by = ${referred_by} and u.id <> ${user_id}
      and c.submitted_at between ${submitted_at}::timestamptz - interval '1 hour'
        and ${submitted_at}::timestamptz + interval '1 hour'
    limit ${MOST}`.execute(tx)
  return rows.length
}
