import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Deps } from '#server/deps.ts'
import { changesAmounts } from '#server/domain/campaign/settings/setting-promises.ts'
import {
  lockStored,
  readStored,
  type StoredCampaign,
} from '#server/domain/campaign/settings/stored-settings.ts'
import { countClaims } from '#server/domain/claims/claim-counts.ts'
import { digest } from '#server/domain/journal/chain.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import {
  type Database,
  inTransaction,
  type Tx,
  violatedUnique,
  withRetries,
} from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { refuse } from '#server/platform/refusal.ts'
import { type LiveFreeze, readLiveFreeze, requireFreeze } from '../live-freeze.ts'
import { buildAllocation } from '../pack/build-pack.ts'
import type { AllocationTree } from '../pack/types.ts'
import { type Report, runAlone, type RunOptions } from '../runs.ts'
import { readTerms, type Terms } from '../terms.ts'
import { agreesWithLedger, emptyTotals, type FreezeTotals } from './allocate.ts'
import { storeAndYieldRows } from './allocation-rows.ts'
import { readLedgerTotals } from './read-holders.ts'
import { storeTree } from './store-rows.ts'

export type FreezeOptions = RunOptions & {
  /** How many claims may be waiting for a decision. They are left out. */
  maxUndecided: number
}

/**
 * Freezes the allocation: what each wallet of an approved claim gets for the points that the ledger has at
 * one moment. Reads from one snapshot, so that an approval counts as a whole or not at all, and stores
 * everything in one transaction.
 * @throws refusals `payout_not_set`, `payout_busy`, `payout_frozen`, `terms_changed`, `claims_undecided`,
 * `wallets_shared`, `nothing_to_pay`, `amounts_too_large`, `ledger_differs`.
 */
export async function freeze(
  deps: Pick<Deps, 'db' | 'campaign'>,
  { actor, onProgress, ...options }: FreezeOptions,
): Promise<LiveFreeze> {
  const { db, campaign } = deps
  const terms = readTerms(campaign)
  return runAlone({ db, campaign }, { task: 'freeze', actor, onProgress }, async (report) => {
    // The lock waits for a change of settings in progress. Later changes of the amounts are refused while
    // this run has a heartbeat, which it writes every second.
    refuseOtherTerms(await inTransaction(db, (tx) => lockStored(tx, campaign.id)), campaign)
    try {
      return await withRetries(() =>
        inSnapshot(db, (snapshot) =>
          db.transaction().execute(async (tx) => {
            const live = await freezeIn({ snapshot, tx }, terms, { ...options, actor, report })
            // The terms may have changed if the heartbeat stopped for a while. A lock could deadlock here:
            // a ban locks the campaign and then waits for this transaction.
            refuseOtherTerms(await readStored(tx, campaign.id), campaign)
            return live
          }),
        ),
      )
    } catch (error) {
      // If the heartbeat of a freeze stops, a second one can start, and here was stored first.
      throw violatedUnique(error) === 'payout_freezes_campaign_id_number_key'
        ? refuse('payout_frozen')
        : error
    }
  })
}

/** @throws refusal `terms_changed` if another node or an edited campaign file has changed the terms. */
function refuseOtherTerms(stored: StoredCampaign | undefined, campaign: CampaignFile): void {
  if (stored && changesAmounts(stored.settings, campaign)) throw refuse('terms_changed')
}

function inSnapshot<T>(db: Database, work: (snapshot: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

/**
 * Reads in one transaction and writes in another. In a single one, a concurrent change of any account or
 * claim to which the written rows refer would be a serialization failure.
 */
type Transactions = { snapshot: Tx; tx: Tx }

type FreezeInputs = Omit<FreezeOptions, 'onProgress'> & { report: Report }

async function freezeIn(
  { snapshot, tx }: Transactions,
  terms: Terms,
  inputs: FreezeInputs,
): Promise<LiveFreeze> {
  const campaignId = terms.campaign.id
  await allowLongPauses(snapshot)
  await allowLongPauses(tx)
  if (await readLiveFreeze(snapshot, campaignId)) throw refuse('payout_frozen')
  const { undecided, approved } = await countClaimsByDecision(snapshot, campaignId)
  if (undecided > inputs.maxUndecided) throw refuse('claims_undecided')
  if (approved === 0) throw refuse('nothing_to_pay')
  const freezeId = newId()
  const { tree, sums } = await storeRows({ snapshot, tx }, { freezeId, terms, approved, ...inputs })
  if (!agreesWithLedger(sums, await readLedgerTotals(snapshot, campaignId), terms))
    throw refuse('ledger_differs')
  if (tree.totals.pf !== sums.paid.pf || tree.totals.pls !== sums.paid.pls)
    throw new Error('The tree has other totals than its rows.')
  await storeTree(tx, freezeId, tree, (done, total) => inputs.report({ step: 'save', done, total }))
  const number = await readNextNumber(snapshot, campaignId)
  await storeFreeze(tx, { freezeId, number, terms, tree, sums, undecided }, inputs)
  return requireFreeze({ db: tx, campaign: terms.campaign })
}

/** Building the tree of a million wallets takes longer than a transaction may otherwise be idle. */
async function allowLongPauses(tx: Tx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(tx)
}

async function countClaimsByDecision(snapshot: Tx, campaignId: string) {
  const { rows } = await sql<{ undecided: number; approved: number }>`
    select ${countClaims(campaignId, sql`not is_decided`)} as undecided,
      (select count(*) from claims where campaign_id = ${campaignId} and status = 'approved')
      as approved`.execute(snapshot)
  return rows[0] ?? { undecided: 0, approved: 0 }
}

type RowInputs = FreezeInputs & { freezeId: string; terms: Terms; approved: number }

/** Stores the rows of a freeze while a worker thread builds their tree. */
async function storeRows(
  transactions: Transactions,
  { freezeId, terms, approved, report, signal }: RowInputs,
): Promise<{ tree: AllocationTree; sums: FreezeTotals }> {
  const sums = emptyTotals()
  const onStored = (done: number) => report({ step: 'rows', done, total: approved })
  // If the build fails, it does not wait for the generator, which must not use the ended transactions.
  const ending = new AbortController()
  const rows = storeAndYieldRows(transactions, { freezeId, terms, sums, onStored, ended: ending.signal })
  try {
    const tree = await buildAllocation(rows, {
      signal,
      onProgress: ({ step, done, total }) => {
        if (step === 'tree') report({ step, done, total })
      },
    })
    return { tree, sums }
  } finally {
    ending.abort(new Error('The freeze has ended.'))
  }
}

/** Read from the snapshot, so that the second of two simultaneous freezes violates a unique constraint. */
async function readNextNumber(snapshot: Tx, campaignId: string): Promise<number> {
  const { number } = await snapshot
    .selectFrom('payout_freezes')
    .select(({ fn }) => sql<number>`coalesce(${fn.max('number')}, 0) + 1`.as('number'))
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow()
  return number
}

type NewFreeze = {
  freezeId: string
  number: number
  terms: Terms
  tree: AllocationTree
  sums: FreezeTotals
  undecided: number
}

/** Comes last: once a freeze is stored, no rows can be added to it. */
async function storeFreeze(
  tx: Tx,
  { freezeId, number, terms, tree, sums, undecided }: NewFreeze,
  { actor, network }: Attribution,
): Promise<void> {
  const campaignId = terms.campaign.id
  const root = tree.root.slice(2)
  const totals = { recipients: tree.recipients, pf: String(tree.totals.pf), pls: String(tree.totals.pls) }
  const leftOut = [...sums.leftOut].map(([reason, { count, pf, pls }]) => ({
    reason,
    count,
    amounts: { pf: String(pf), pls: String(pls) },
  }))
  await tx
    .insertInto('payout_freezes')
    .values({
      id: freezeId,
      campaign_id: campaignId,
      number,
      root: Buffer.from(root, 'hex'),
      ...totals,
      pf_recipients: sums.recipients.pf,
      pls_recipients: sums.recipients.pls,
      contracts: sums.contracts,
      sharing: sums.sharing,
      left_out: JSON.stringify(leftOut),
      terms: JSON.stringify(terms),
      undecided,
      frozen_by: actor,
    })
    .execute()
  await record(tx, {
    actor,
    action: 'payout.frozen',
    subject: freezeId,
    after: { campaign: campaignId, number, root, ...totals, terms: digest(terms), undecided, leftOut },
    network,
  })
}
