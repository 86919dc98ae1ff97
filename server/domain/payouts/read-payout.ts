import { sql } from 'kysely'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import type { Payout } from '#contract/dashboard/payouts.ts'
import { countClaims } from '#server/domain/claims/claim-counts.ts'
import type { Deps } from '#server/deps.ts'
import { catalogIn } from '#server/messages/errors.ts'
import type { Database } from '#server/platform/database/database.ts'
import { countDrift } from './drift.ts'
import { createPayableCalculator } from './freeze/allocate.ts'
import { isPayable } from './freeze/read-holders.ts'
import { type LiveFreeze, readLiveFreeze } from './live-freeze.ts'
import { countPayments } from './payment-status.ts'
import { summaryOf } from './read-allocation.ts'
import { IS_RUNNING } from './runs.ts'
import { readTerms, type Terms } from './terms.ts'

type Frozen = NonNullable<Payout['frozen']>
type Run = NonNullable<Payout['run']>

/** What would be frozen, or what is frozen and paid. `isCurrent` is false for an archived campaign. */
export async function readPayout(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  { isCurrent = true, locale = DEFAULT_LOCALE }: { isCurrent?: boolean; locale?: Locale } = {},
): Promise<Payout> {
  const { token, chain, payout } = campaign
  const live = await readLiveFreeze(db, campaign.id)
  const terms = payout ? readTerms(campaign) : undefined
  const run = await readRun(db, campaign.id, locale)
  // Of two administrators who freeze at the same time, one is refused, but nothing is wrong.
  const isSecondFreeze = live !== undefined && run?.task === 'freeze' && run.state === 'failed'
  return {
    campaign: { id: campaign.id, isCurrent },
    token: {
      symbol: token.symbol,
      decimals: token.decimals,
      contract: token.contract,
      isPlaceholder: token.placeholder,
    },
    coin: { symbol: chain.currency.symbol, decimals: chain.currency.decimals },
    rates: payout ?? null,
    plan: live ? null : await readPlan(db, campaign.id, terms),
    frozen: live ? await readFrozen(db, live) : null,
    run: isSecondFreeze ? null : run,
    thawed: await readThawed(db, campaign.id),
  }
}

type PlanRow = Record<'approved' | 'undecided' | 'pf' | 'pls' | 'referral' | 'contracts' | 'sharing', number>

async function readPlan(
  db: Database,
  campaignId: string,
  terms: Terms | undefined,
): Promise<NonNullable<Payout['plan']>> {
  const { rows } = await planOf(campaignId).execute(db)
  const [plan] = rows
  if (!plan) throw new Error('count returned no row')
  const { pf, pls, referral, ...counts } = plan
  // Without minimums, which apply to the amounts of each wallet.
  const payableOf = terms && createPayableCalculator({ ...terms, minimum: { pf: '0', pls: '0' } })
  const amounts = payableOf?.({ pf: BigInt(pf), pls: BigInt(pls), referral: BigInt(referral) }).paid
  return {
    ...counts,
    points: { pf, pls, referral },
    amounts: { pf: String(amounts?.pf ?? 0n), pls: String(amounts?.pls ?? 0n) },
  }
}

/** Adds up the standings of participants whom a freeze would pay. The freeze itself reads the ledger. */
const planOf = (campaignId: string) => sql<PlanRow>`
  select count(*) as approved, ${countClaims(campaignId, sql`not is_decided`)} as undecided,
    coalesce(sum(s.pf), 0)::bigint as pf, coalesce(sum(s.pls), 0)::bigint as pls,
    coalesce(sum(s.referral), 0)::bigint as referral,
    count(*) filter (where e.outcome = 'contradicted') as contracts,
    count(*) - count(distinct lower(c.wallet)) as sharing
  from claims c
  join standings s on s.campaign_id = c.campaign_id and s.user_id = c.user_id
  left join evidence e on e.claim_id = c.id and e.check_name = 'wallet-kind'
  where ${isPayable(campaignId)}`

/** Wallets shared by several participants whom a freeze would pay; at most 20. */
export async function readSharedWallets(db: Database, campaignId: string): Promise<string[]> {
  const { rows } = await sql<{ wallet: string }>`
    select min(wallet) as wallet from claims c where ${isPayable(campaignId)}
    group by lower(wallet) having count(*) > 1 order by lower(wallet) limit 20`.execute(db)
  return rows.map(({ wallet }) => wallet)
}

async function readFrozen(db: Database, live: LiveFreeze): Promise<Frozen> {
  const { perPoint, minimum, duplicateWallets } = live.terms
  return {
    ...summaryOf(live, await countDrift(db, live)),
    number: live.number,
    frozenBy: live.frozenBy,
    rates: { perPoint, minimum, duplicateWallets },
    undecided: live.undecided,
    contracts: live.contracts,
    sharing: live.sharing,
    leftOut: live.leftOut,
    reconciled: await readReconciled(db, live),
  }
}

async function readReconciled(db: Database, live: LiveFreeze): Promise<Frozen['reconciled']> {
  const payers = await db
    .selectFrom('payout_scans')
    .select(['payer', 'from_block as fromBlock', 'to_block as toBlock'])
    .where('freeze_id', '=', live.id)
    .orderBy('payer')
    .execute()
  if (payers.length === 0) return null
  const { received, counts } = await countPayments(db, live)
  return { payers, received: { pf: String(received.pf), pls: String(received.pls) }, counts }
}

async function readRun(db: Database, campaignId: string, locale: Locale): Promise<Run | null> {
  const run = await db
    .selectFrom('payout_runs as r')
    .select(['task', 'step', 'done', 'total', 'started_at', 'refusal'])
    .select(
      sql<Run['state']>`case
        when refusal is not null then 'failed' when ended_at is not null then 'done'
        when ${IS_RUNNING} then 'running' else 'interrupted' end`.as('state'),
    )
    .where('campaign_id', '=', campaignId)
    .executeTakeFirst()
  if (!run) return null
  const { task, started_at, refusal, ...progress } = run
  return {
    ...progress,
    task: task as Run['task'],
    startedAt: started_at.toISOString(),
    message: refusal === null ? null : (catalogIn(locale).messages[refusal as ErrorCode] ?? refusal),
  }
}

async function readThawed(db: Database, campaignId: string): Promise<Payout['thawed']> {
  const rows = await db
    .selectFrom('payout_thaws as t')
    .innerJoin('payout_freezes as f', (join) =>
      join.onRef('f.campaign_id', '=', 't.campaign_id').onRef('f.number', '=', 't.number'),
    )
    .select(['t.number', 't.reason', 't.thawed_at', 'f.frozen_at'])
    .select(sql<string>`'0x' || encode(f.root, 'hex')`.as('root'))
    .where('t.campaign_id', '=', campaignId)
    .orderBy('t.number', 'desc')
    .execute()
  return rows.map(({ frozen_at, thawed_at, ...thawed }) => ({
    ...thawed,
    frozenAt: frozen_at.toISOString(),
    thawedAt: thawed_at.toISOString(),
  }))
}
