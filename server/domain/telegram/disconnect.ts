import type { Deps } from '#server/deps.ts'
import { record } from '../journal/record.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { changeAccount } from './change-account.ts'

type Input = { userId: string; network: string }

/** Disconnects a participant's Telegram account, so that another participant can connect it. Idempotent. */
export async function disconnect(deps: Deps, input: Input): Promise<void> {
  await inTransaction(deps.db, (tx) => changeAccount(tx, deps, input.userId, () => deleteAccount(tx, input)))
  deps.wake('claims')
}

async function deleteAccount(tx: Tx, { userId, network }: Input): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('telegram_accounts')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  if (!deleted) return false
  await record(tx, { actor: userId, action: 'telegram.disconnected', subject: userId, network })
  return true
}
