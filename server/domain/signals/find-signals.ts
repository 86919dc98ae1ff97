import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { SignalKind } from '#contract/claims/signals.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Claims, Users } from '#server/platform/database/database.types.ts'
import { disposableDomainOf } from './disposable.ts'
import { findSameText } from './post-text.ts'
import {
  BUSY_NETWORK_WEIGHT,
  MAX_ACCOUNTS_READ,
  MIN_BUSY_ACCOUNTS,
  MIN_STAR_CLAIMS,
  QUICK_SECONDS,
  WEIGHTS,
} from './weights.ts'
import type { Facts } from './signal-texts.ts'

export type ScoredClaim = Pick<
  Selectable<Claims>,
  'id' | 'campaign_id' | 'user_id' | 'status' | 'submitted_at'
> &
  Pick<Selectable<Users>, 'email_key' | 'canonical_email' | 'referred_by'> & { registered_at: Date }

export type FoundSignal = {
  kind: SignalKind
  weight: number
  facts: Facts
  /** The other accounts' ids, at most {@link MAX_ACCOUNTS_READ}. */
  linkedTo: string[]
}

/** Finds every reason to suspect that a claim's participant has other accounts. */
export async function findSignals(tx: Tx, claim: ScoredClaim): Promise<FoundSignal[]> {
  const linkSignals = [
    linkSignal('email-alias', await readIds(tx, claimantsWithSameEmail(claim))),
    linkSignal('reused-proof', await readIds(tx, claimantsWithSameProof(claim))),
    linkSignal('same-text', await findSameText(tx, claim.id)),
    ...(await findSharedNetwork(tx, claim)),
  ].filter(({ facts }) => (facts.others ?? 0) > 0)
  const domain = await disposableDomainOf(claim.email_key)
  const seconds = Math.round((claim.submitted_at.getTime() - claim.registered_at.getTime()) / 1000)
  const starClaims = await countStarClaims(tx, claim)
  return [
    ...linkSignals,
    ...(domain ? [signal('disposable-email', { domain })] : []),
    ...((await isRing(tx, claim, linkSignals)) ? [signal('referral-ring', {})] : []),
    ...(seconds < QUICK_SECONDS ? [signal('quick-proof', { seconds: Math.max(0, seconds) })] : []),
    ...(starClaims >= MIN_STAR_CLAIMS ? [signal('referral-star', { others: starClaims })] : []),
  ]
}

const signal = (kind: SignalKind, facts: Facts, linkedTo: string[] = []): FoundSignal => {
  return { kind, weight: WEIGHTS[kind], facts, linkedTo }
}

const linkSignal = (kind: SignalKind, linkedTo: string[]) =>
  signal(kind, { others: linkedTo.length }, linkedTo)

type Account = { user_id: string }

async function readIds(tx: Tx, accounts: RawBuilder<Account>): Promise<string[]> {
  const { rows } = await accounts.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

const claimantsWithSameEmail = ({ campaign_id, user_id, canonical_email }: ScoredClaim) => sql<Account>`
  select id as user_id from users u
  where canonical_email = ${canonical_email} and id <> ${user_id}
    and exists (select from claims where campaign_id = ${campaign_id} and user_id = u.id)
  order by id limit ${MAX_ACCOUNTS_READ}`

/** Live claims share no part of a proof, but may reuse one of a rejected claim. */
function claimantsWithSameProof({ campaign_id, user_id }: ScoredClaim): RawBuilder<Account> {
  const shared = sql`(lower(other.wallet) = lower(own.wallet) or lower(other.telegram) = lower(own.telegram)
    or lower(other.twitter) = lower(own.twitter) or other.post_id = own.post_id)`
  // A union, because live and rejected claims have separate partial indexes, such as `claims_wallet` and
  // `claims_rejected_wallet`.
  return sql`
    select distinct found.user_id from claims own, lateral (
      select other.user_id from claims other
      where other.campaign_id = own.campaign_id and other.status = 'rejected' and ${shared}
      union all
      select other.user_id from claims other
      where other.campaign_id = own.campaign_id and other.status <> 'rejected' and ${shared}) found
    where own.campaign_id = ${campaign_id} and own.user_id = ${user_id} and found.user_id <> ${user_id}
    order by found.user_id limit ${MAX_ACCOUNTS_READ}`
}

/** A network that many use within 12 hours of the participant is busy: it weighs less, and links no one. */
async function findSharedNetwork(tx: Tx, claim: ScoredClaim): Promise<FoundSignal[]> {
  const withinHour = await readIds(tx, visitorsWithin(claim, '1 hour', MAX_ACCOUNTS_READ))
  if (withinHour.length === 0) return []
  const withinTwelveHours = await readIds(tx, visitorsWithin(claim, '12 hours', MIN_BUSY_ACCOUNTS))
  if (withinTwelveHours.length < MIN_BUSY_ACCOUNTS) return [linkSignal('shared-network', withinHour)]
  const ofBusyNetwork = signal('shared-network', { others: withinHour.length, busy: true })
  return [{ ...ofBusyNetwork, weight: BUSY_NETWORK_WEIGHT }]
}

/**
 * The claimants who used a network at most `span` before or after the participant used it. Uses the index
 * `network_visits_by_prefix`.
 */
const visitorsWithin = ({ campaign_id, user_id }: ScoredClaim, span: string, limit: number) => sql<Account>`
  select distinct other.user_id
  from network_visits own join network_visits other
    on other.campaign_id = own.campaign_id and other.prefix = own.prefix and other.user_id <> own.user_id
    and other.at between own.at - ${span}::interval and own.at + ${span}::interval
  where own.campaign_id = ${campaign_id} and own.user_id = ${user_id}
    and exists (select from claims where campaign_id = ${campaign_id} and user_id = other.user_id)
  limit ${limit}`

/** Whether a link signal connects the participant with their inviter or with someone they invited. */
async function isRing(
  tx: Tx,
  { user_id, referred_by }: ScoredClaim,
  linkSignals: readonly FoundSignal[],
): Promise<boolean> {
  const others = linkSignals.flatMap(({ linkedTo }) => linkedTo)
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

/** Others whom the same person invited and who claimed within an hour of this claim. */
async function countStarClaims(
  tx: Tx,
  { campaign_id, user_id, referred_by, submitted_at }: ScoredClaim,
): Promise<number> {
  if (!referred_by) return 0
  const { rows } = await sql`
    select distinct c.user_id
    from users u join claims c on c.user_id = u.id and c.campaign_id = ${campaign_id}
    where u.referred_by = ${referred_by} and u.id <> ${user_id}
      and c.submitted_at between ${submitted_at}::timestamptz - interval '1 hour'
        and ${submitted_at}::timestamptz + interval '1 hour'
    limit ${MAX_ACCOUNTS_READ}`.execute(tx)
  return rows.length
}
