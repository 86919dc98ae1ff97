import { announceClaim } from '#server/domain/events/announce.ts'
import type { OnReservationExpired } from '#server/domain/slots/reallocate-slots.ts'
import { recordEvent } from '../claim-events.ts'
import { latestClaim } from '../latest-claim.ts'

/** Adds the expiry of a kept slot to its participant's timeline. */
export const recordExpiredReservation: OnReservationExpired = async (tx, campaignId, { userId, state }) => {
  if (state !== 'kept') return
  const claim = await tx.selectFrom(latestClaim(campaignId, userId).as('c')).select('c.id').executeTakeFirst()
  if (!claim) return
  await recordEvent(tx, { claimId: claim.id, what: 'slot_freed' })
  await announceClaim(tx, claim.id)
}
