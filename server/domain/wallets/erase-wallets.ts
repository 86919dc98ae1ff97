import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

/** Erases the wallets that a participant has proven, in all campaigns, and messages that wait for a signature. */
export async function eraseWallets(tx: Tx, userId: string): Promise<void> {
  await sql`
    delete from proven_wallets p using campaigns c where p.campaign_id = c.id and p.user_id = ${userId}`.execute(
    tx,
  )
  await tx.deleteFrom('wallet_messages').where('user_id', '=', userId).execute()
}
