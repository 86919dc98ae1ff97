import type { Tx } from '#server/platform/database/database.ts'
import { sendLater } from '../mail/send-later.ts'

/** Queues an email to an account, in the transaction that causes it; adds the username to `values`. */
export async function mailUser(
  tx: Tx,
  userId: string,
  template: string,
  values: Record<string, string> = {},
): Promise<void> {
  const { username, email } = await tx
    .selectFrom('users')
    .select(['username', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await sendLater(tx, { template, to: email, values: { ...values, username } })
}
