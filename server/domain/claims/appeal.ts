import { sql } from 'kysely'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { lockOwnAccount } from '../accounts/lock-account.ts'
import { announceClaim } from '../events/announce.ts'
import { suspendSlotExpiry } from '../slots/keep-or-free-slot.ts'
import { recordEvent } from './claim-events.ts'
import { isSuperseded } from './latest-claim.ts'
import { lockClaimById, type LockedClaim } from './decisions/lock-claim.ts'

type Appeal = { userId: string; claimId: string; text: string }

/**
 * Appeals against a hold or a rejection, once per attempt. The slot that stays with a participant after a
 * rejection does not expire until the appeal is answered.
 * @throws refusals `campaign_archived`, `claim_not_found`, `not_appealable`, `already_appealed`, and
 * `unauthenticated` if the account has been deleted meanwhile.
 */
export async function appeal(deps: Deps, { userId, claimId, text }: Appeal): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const claim = await lockClaimById(tx, deps, claimId)
    if (claim?.user_id !== userId) throw refuse('claim_not_found')
    await lockOwnAccount(tx, userId)
    if (!(await isAppealable(tx, claim))) throw refuse('not_appealable')
    if (!(await insertAppeal(tx, claim, text))) throw refuse('already_appealed')
    if (claim.status === 'rejected') await suspendSlotExpiry(tx, claim.campaign_id, claim.user_id)
    await recordEvent(tx, { claimId: claim.id, what: 'appealed' })
    await announceClaim(tx, claim.id)
  })
}

async function isAppealable(tx: Tx, claim: LockedClaim): Promise<boolean> {
  if (claim.status === 'held') return true
  return claim.status === 'rejected' && !(await isSuperseded(tx, claim))
}

async function insertAppeal(tx: Tx, { id, campaign_id }: LockedClaim, text: string): Promise<boolean> {
  const inserted = await tx
    .insertInto('appeals')
    .values({ claim_id: id, campaign_id, text })
    .onConflict((conflict) => conflict.doNothing())
    .returning('claim_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Marks the appeal against a participant's rejected claim as answered, before a corrected claim replaces it.
 * Locks the rejected claim, so that a concurrent appeal is either answered here or refused.
 */
export async function answerSupersededAppeal(tx: Tx, { campaign }: Deps, userId: string): Promise<void> {
  const rejected = await tx
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaign.id)
    .where('user_id', '=', userId)
    .where('status', '=', 'rejected')
    .orderBy('attempt', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!rejected) return
  if (await answerAppeal(tx, rejected.id)) await announceClaim(tx, rejected.id)
}

/** @returns whether there was an open appeal to mark as answered. */
export async function answerAppeal(tx: Tx, claimId: string): Promise<boolean> {
  const answered = await tx
    .updateTable('appeals')
    .set({ answered_at: sql`now()` })
    .where('claim_id', '=', claimId)
    .where('answered_at', 'is', null)
    .returning('claim_id')
    .executeTakeFirst()
  return answered !== undefined
}

export async function hasOpenAppeal(tx: Tx, claimId: string): Promise<boolean> {
  const open = await tx
    .selectFrom('appeals')
    .select('claim_id')
    .where('claim_id', '=', claimId)
    .where('answered_at', 'is', null)
    .executeTakeFirst()
  return open !== undefined
}
