import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { announceClaim } from '../events/announce.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { refuse } from '../platform/refusal.ts'
import { keepForAppeal } from '../slots/hold-slot.ts'
import { recordEvent } from './claim-events.ts'
import { isSuperseded } from './latest-claim.ts'
import { lockRow, type LockedClaim } from './lock-claim.ts'

type Appeal = { userId: string; claimId: string; text: string }

/**
 * Keeps what a participant says for their own claim that is held or rejected: once for each attempt. A slot that it
 * still has is kept until somebody answers.
 */
export async function appeal(deps: Deps, { userId, claimId, text }: Appeal): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const claim = await lockRow(tx, deps, claimId)
    if (claim?.user_id !== userId) throw refuse('claim_not_found')
    if (!(await keep(tx, claim, text))) throw refuse('already_appealed')
    if (!(await isAppealable(tx, claim))) throw refuse('not_appealable')
    if (claim.status === 'rejected') await keepForAppeal(tx, claim.campaign_id, claim.user_id)
    await recordEvent(tx, { claimId: claim.id, what: 'appealed' })
    await announceClaim(tx, claim.id)
  })
}

async function keep(tx: Tx, { id, campaign_id }: LockedClaim, text: string): Promise<boolean> {
  const kept = await tx
    .insertInto('appeals')
    .values({ claim_id: id, campaign_id, text })
    .onConflict((conflict) => conflict.doNothing())
    .returning('claim_id')
    .executeTakeFirst()
  return kept !== undefined
}

/**
 * A correction overtakes an appeal against the rejection of what it corrects: nobody has to answer it any more.
 * The rejected claim is held until the correction is there, so that an appeal comes before it or is refused.
 */
export async function closeSupersededAppeal(tx: Tx, { campaign }: Deps, userId: string): Promise<void> {
  const corrected = await tx
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaign.id)
    .where('user_id', '=', userId)
    .where('status', '=', 'rejected')
    .orderBy('attempt', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!corrected) return
  const overtaken = await tx
    .updateTable('appeals')
    .set({ answered_at: sql`now()` })
    .where('claim_id', '=', corrected.id)
    .where('answered_at', 'is', null)
    .returning('claim_id')
    .executeTakeFirst()
  if (overtaken) await announceClaim(tx, overtaken.claim_id)
}

/** A rejected claim that was corrected is history. */
async function isAppealable(tx: Tx, claim: LockedClaim): Promise<boolean> {
  if (claim.status === 'held') return true
  if (claim.status !== 'rejected') return false
  return !(await isSuperseded(tx, claim))
}
