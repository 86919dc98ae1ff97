import type { Deps } from '#server/deps.ts'
import { announceClaim } from '../events/announce.ts'
import { recheck } from '../evidence/start-checks.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { lockLiveClaim } from '../claims/decisions/lock-claim.ts'
import { refuseIfApproved } from './refuse-if-approved.ts'

/**
 * Changes a participant's Telegram account and reruns the Telegram checks of a pending claim. Locks the claim, so
 * that an approval happens entirely before or after.
 * @param change returns whether anything changed.
 */
export async function changeAccount(
  tx: Tx,
  deps: Deps,
  userId: string,
  change: () => Promise<boolean>,
): Promise<void> {
  const claim = await lockLiveClaim(tx, deps, userId)
  await refuseIfApproved(tx, deps, userId)
  if (!(await change()) || !claim) return
  await recheck(tx, claim.id, ['telegram', 'telegram-handle'])
  await announceClaim(tx, claim.id)
}
