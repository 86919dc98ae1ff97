import { sql } from 'kysely'
import type { Asset } from '#contract/allocation.ts'
import type { Results } from '#contract/campaigns.ts'
import type { Database } from '#server/platform/database/database.ts'
import { countClaims } from '../claims/claim-counts.ts'
import { type LiveFreeze, readLiveFreeze } from '../payouts/live-freeze.ts'
import { countPayments, type PaymentCounts } from '../payouts/payment-status.ts'

export type ReadResults = (db: Database, campaignId: string) => Promise<Results>

/** How long results are cached. Counting them reads the points of every participant. */
const MAX_AGE_MS = 10_000

export function createResultsReader(maxAgeMs = MAX_AGE_MS): ReadResults {
  const cache = new Map<string, { results: Promise<Results>; countedAtMs: number }>()
  return (db, campaignId) => {
    const cached = cache.get(campaignId)
    if (cached && performance.now() - cached.countedAtMs < maxAgeMs) return cached.results
    const results = readResults(db, campaignId)
    cache.set(campaignId, { results, countedAtMs: performance.now() })
    results.catch(() => cache.delete(campaignId))
    return results
  }
}

export async function readResults(db: Database, campaignId: string): Promise<Results> {
  const { rows } = await totalsOf(campaignId).execute(db)
  const [totals] = rows
  if (!totals) throw new Error('count returned no row')
  const { pf, pls, referral, ...counts } = totals
  const freeze = await readLiveFreeze(db, campaignId)
  return {
    ...counts,
    points: { pf, pls, referral },
    payout: freeze ? payoutOf(freeze, await countPayments(db, freeze)) : null,
  }
}

type Totals = Omit<Results, 'points' | 'payout'> & Results['points']

const totalsOf = (campaignId: string) => sql<Totals>`
  select ${countClaims(campaignId, sql`is_first`)} as claimed, ${countClaims(campaignId, sql`not is_decided`)} as undecided,
    (select count(*) from claims where campaign_id = ${campaignId} and status = 'approved') as approved,
    (select count(*) from appeals where campaign_id = ${campaignId} and answered_at is null) as appeals,
    exists (select from campaigns where id = ${campaignId} and archived_at is not null) as "isFinal", s.*
  from (
    select coalesce(sum(pf), 0)::int8 as pf, coalesce(sum(pls), 0)::int8 as pls,
      coalesce(sum(referral), 0)::int8 as referral
    from standings where campaign_id = ${campaignId}) s`

/** How much of a live freeze (one that was not undone) has been paid. */
function payoutOf(freeze: LiveFreeze, { counts }: PaymentCounts): NonNullable<Results['payout']> {
  const paidOf = (asset: Asset) => {
    const { short = 0, missing = 0, unreadable = 0 } = counts[asset]
    const of = freeze.recipientsOf[asset]
    // Not `paid + over`, because `over` includes wallets to which nothing of the asset is due.
    return unreadable > 0 ? null : { wallets: of - short - missing, of }
  }
  return {
    root: freeze.root,
    frozenAt: freeze.frozenAt.toISOString(),
    recipients: freeze.recipients,
    paid: { pf: paidOf('pf'), pls: paidOf('pls') },
  }
}
