import type { Tx } from '#server/platform/database/database.ts'

/** Erases which announcements a participant got. */
export async function eraseRecipient(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('announcement_recipients').where('user_id', '=', userId).execute()
}
