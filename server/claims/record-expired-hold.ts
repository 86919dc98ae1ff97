import { announceClaim } from '../events/announce.ts'
import type { OnHoldExpired } from '../slots/reallocate-slots.ts'
import { recordEvent } from './claim-events.ts'

/** Puts the end of a slot into the timeline of whoever's rejected claim kept it. */
export const recordExpiredHold: OnHoldExpired = async (tx, campaignId, { userId, state }) => {
  if (state !== 'kept') return
  const claim = await tx
    .selectFrom('claims')
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('user_id', '=', userId)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!claim) return
  await recordEvent(tx, { claimId: claim.id, what: 'slot_freed' })
  await announceClaim(tx, claim.id)
}
