import type { TelegramAccount } from '#contract/accounts/telegram.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { refuse } from '#server/platform/refusal.ts'
import { lockOwnAccount } from '../accounts/lock-account.ts'
import { record } from '../journal/record.ts'
import { announceClaim } from '../events/announce.ts'
import { recheck } from '../evidence/start-checks.ts'
import { lockLiveClaim } from '../claims/decisions/lock-claim.ts'
import { hasApprovedClaim } from '../claims/latest-claim.ts'

export async function readTelegramAccount(
  db: Database | Tx,
  userId: string,
): Promise<TelegramAccount | null> {
  const account = await db
    .selectFrom('telegram_accounts')
    .select(['username', 'since'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return account ? { username: account.username, since: account.since.toISOString() } : null
}

type Disconnection = { userId: string; network: string }

/** Frees the Telegram account, so that another participant can connect it. Idempotent. */
export async function disconnectTelegram(deps: Deps, disconnection: Disconnection): Promise<void> {
  await inTransaction(deps.db, (tx) =>
    changeTelegramAccount(tx, deps, disconnection.userId, () => deleteTelegramAccount(tx, disconnection)),
  )
  // Runs the restarted checks.
  deps.runSoon('claims')
}

async function deleteTelegramAccount(tx: Tx, { userId, network }: Disconnection): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('telegram_accounts')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  if (!deleted) return false
  await record(tx, { actor: userId, action: 'telegram.disconnected', subject: userId, network })
  return true
}

/**
 * Changes a participant's Telegram account and reruns the Telegram checks of a pending claim. Locks the
 * claim, so that its approval happens entirely before or after the change.
 * @param change returns whether anything changed.
 * @throws the refusals of {@link lockOwnAccount} and {@link refuseIfApproved}.
 */
export async function changeTelegramAccount(
  tx: Tx,
  deps: Deps,
  userId: string,
  change: () => Promise<boolean>,
): Promise<void> {
  const claim = await lockLiveClaim(tx, deps, userId)
  // Deleting an account locks its claim first, too. The other order could deadlock.
  await lockOwnAccount(tx, userId)
  await refuseIfApproved(tx, deps, userId)
  const hasChanged = await change()
  if (!hasChanged || !claim) return
  await recheck(tx, claim.id, ['telegram', 'telegram-handle'])
  await announceClaim(tx, claim.id)
}

/** @throws refusal `telegram_fixed` if there is an approved claim, which must keep its Telegram account. */
export async function refuseIfApproved(db: Database | Tx, { campaign }: Deps, userId: string): Promise<void> {
  if (await hasApprovedClaim(db, campaign.id, userId)) throw refuse('telegram_fixed')
}

export async function eraseTelegram(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('telegram_accounts').where('user_id', '=', userId).execute()
  await tx.deleteFrom('telegram_attempts').where('user_id', '=', userId).execute()
}
