import type { Deps } from '../deps.ts'
import { announceClaim } from '../events/announce.ts'
import { recheck } from '../evidence/start-checks.ts'
import type { Tx } from '../platform/database.ts'
import { lockLive } from '../claims/lock-claim.ts'
import { refuseIfClaimed } from './refuse-if-claimed.ts'

/**
 * Changes which Telegram account is a participant's. Of a claim that waits, what was seen of Telegram is looked
 * at anew; its row is held meanwhile, so that an approval comes before or after.
 * @param change tells whether anything changed.
 */
export async function changeAccount(
  tx: Tx,
  deps: Deps,
  userId: string,
  change: () => Promise<boolean>,
): Promise<void> {
  const claim = await lockLive(tx, deps, userId)
  await refuseIfClaimed(tx, deps, userId)
  if (!(await change()) || !claim) return
  await recheck(tx, claim.id, ['telegram', 'telegram-handle'])
  await announceClaim(tx, claim.id)
}
