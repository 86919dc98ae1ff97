import type { TelegramAccount } from '#contract/telegram.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'

/** A participant's connected Telegram account, as shown to them. */
export async function readAccount(db: Database | Tx, userId: string): Promise<TelegramAccount | null> {
  const account = await db
    .selectFrom('telegram_accounts')
    .select(['username', 'since'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return account ? { username: account.username, since: account.since.toISOString() } : null
}
