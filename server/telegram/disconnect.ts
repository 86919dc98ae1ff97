import type { Deps } from '../deps.ts'
import { record } from '../journal/record.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { changeAccount } from './change-account.ts'

type Leaving = { userId: string; network: string }

/** Forgets a participant's Telegram account; somebody else can connect it then. A repeat changes nothing. */
export async function disconnect(deps: Deps, leaving: Leaving): Promise<void> {
  await inTransaction(deps.db, (tx) => changeAccount(tx, deps, leaving.userId, () => forget(tx, leaving)))
  deps.wake('claims')
}

async function forget(tx: Tx, { userId, network }: Leaving): Promise<boolean> {
  const forgotten = await tx
    .deleteFrom('telegram_accounts')
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst()
  if (!forgotten) return false
  await record(tx, { actor: userId, action: 'telegram.disconnected', subject: userId, network })
  return true
}
