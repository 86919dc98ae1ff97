import type { Deps } from '#server/deps.ts'
import { type Attribution, record } from '#server/domain/journal/record.ts'
import { lockByName } from '#server/platform/database/advisory-lock.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { requireFreeze } from './live-freeze.ts'
import { hasPayments } from './payment-status.ts'
import { excludeRuns } from './runs.ts'

type ThawOptions = Attribution & { reason: string }

/**
 * Undoes a freeze, so that another one can follow. Its rows stay; the journal has the reason.
 * @throws refusals `payout_not_frozen`, `payout_reconciled` if payments are recorded, and `payout_busy` while
 * a run is in progress: an export that ended after the thaw would look valid.
 */
export async function thaw(
  { db, campaign }: Pick<Deps, 'db' | 'campaign'>,
  { actor, network, reason }: ThawOptions,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockPayments(tx, campaign.id)
    const live = await requireFreeze({ db: tx, campaign })
    if (await hasPayments(tx, live.id)) throw refuse('payout_reconciled')
    await excludeRuns(tx, campaign.id)
    // Otherwise, the dashboard would go on offering to repeat a last run that has failed.
    await tx.deleteFrom('payout_runs').where('campaign_id', '=', campaign.id).execute()
    const { number } = live
    await tx
      .insertInto('payout_thaws')
      .values({ campaign_id: campaign.id, number, reason, thawed_by: actor })
      .execute()
    await record(tx, {
      actor,
      action: 'payout.thawed',
      subject: live.id,
      before: { campaign: campaign.id, number, root: live.root.slice(2) }, // without 0x
      network,
      details: { reason },
    })
  })
}

/** Serializes thaws and the recording of payments: the append-only row of a freeze cannot be locked. */
export const lockPayments = (tx: Tx, campaignId: string) => lockByName(tx, `payments of ${campaignId}`)
