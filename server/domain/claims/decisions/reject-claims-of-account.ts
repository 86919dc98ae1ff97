import type { Selectable } from 'kysely'
import type { ACCOUNT_REASONS } from '#contract/claims/claim-history.ts'
import { announce } from '#server/domain/events/announce.ts'
import { record } from '#server/domain/journal/record.ts'
import { reverse } from '#server/domain/ledger/credit.ts'
import { accountReasons } from '#server/messages/reasons.ts'
import { freeSlot } from '#server/domain/slots/keep-or-free-slot.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Claims } from '#server/platform/database/database.types.ts'
import { recordEvent } from '../claim-events.ts'
import { recordDecision } from './record-decision.ts'

type RejectOptions = {
  reason: (typeof ACCOUNT_REASONS)[number]
  /** Whether to reject approved claims as well, which reverses their points. */
  revokesApproval: boolean
  by: { userId: string | null; network?: string | undefined }
}

/** Rejects claims and frees their slots. The caller must `lockAccount` first, and announce the slots. */
export async function rejectClaimsOfAccount(
  tx: Tx,
  claims: readonly Selectable<Claims>[],
  options: RejectOptions,
): Promise<void> {
  for (const claim of claims) {
    const isApproved = claim.status === 'approved'
    if (claim.status === 'rejected' || (isApproved && !options.revokesApproval)) continue
    await rejectClaim(tx, claim, options)
  }
}

async function rejectClaim(tx: Tx, claim: Selectable<Claims>, { reason, by }: RejectOptions): Promise<void> {
  const { id: claimId, campaign_id: campaignId, user_id: userId, status } = claim
  const rejection = { code: reason, text: accountReasons[reason] }
  await recordDecision(tx, { claimId, by, status: 'rejected', rejection })
  const reversed = await reverse(tx, claimId, { actor: by.userId, network: by.network })
  if (reversed > 0) await announce(tx, 'leaderboard')
  if (await freeSlot(tx, campaignId, userId, 'claimed'))
    await recordEvent(tx, { claimId, what: 'slot_freed' })
  await record(tx, {
    actor: by.userId,
    action: 'claim.rejected',
    subject: claimId,
    before: { status },
    after: { status: 'rejected', reason },
    network: by.network,
  })
}
