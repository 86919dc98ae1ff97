import type { Tx } from '#server/platform/database/database.ts'

/** Erases a participant's Telegram account, and connections that were begun. */
export async function eraseTelegram(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('telegram_accounts').where('user_id', '=', userId).execute()
  await tx.deleteFrom('telegram_attempts').where('user_id', '=', userId).execute()
}
