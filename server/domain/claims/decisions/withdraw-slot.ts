import { mailUser } from '#server/domain/mail/send-later.ts'
import type { Deps } from '#server/deps.ts'
import { announce, announceClaim } from '#server/domain/events/announce.ts'
import { record } from '#server/domain/journal/record.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { freeSlot } from '#server/domain/slots/free-slot.ts'
import { hasOpenAppeal } from '../appeal.ts'
import { recordEvent } from '../claim-events.ts'
import { lockClaimForReview, type ReviewAction } from './lock-claim.ts'

/**
 * Frees a rejected claim's kept slot before it expires.
 * @returns false when the claim keeps no slot, or has been reopened or appealed since.
 */
export function withdrawSlot(deps: Deps, action: ReviewAction): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const claim = await lockClaimForReview(tx, deps, action)
    if (claim.status !== 'rejected' || (await hasOpenAppeal(tx, claim.id))) return false
    if (!(await freeSlot(tx, claim.campaign_id, claim.user_id, 'kept'))) return false
    await recordEvent(tx, { claimId: claim.id, what: 'slot_freed' })
    await record(tx, {
      actor: action.reviewer.userId,
      action: 'claim.slot_withdrawn',
      subject: claim.id,
      network: action.network,
    })
    await mailUser(tx, claim.user_id, 'claim-slot-withdrawn')
    await announce(tx, 'slots')
    await announceClaim(tx, claim.id)
    return true
  })
}
