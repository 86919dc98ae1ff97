import type { Deps } from '../deps.ts'
import { sendLater } from '../mail/send-later.ts'
import { inTransaction } from '../platform/database.ts'
import { refuse } from '../platform/refusal.ts'
import { attachMail, issueCode, lockEmail, secondsUntilNextCode } from './codes.ts'
import { readEmail } from './rules.ts'

/** Mails a reset code; for an e-mail without an account nothing leaves and the answer is the same. */
export async function sendResetCode(deps: Deps, typedEmail: string): Promise<void> {
  const email = readEmail(typedEmail)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const wait = await secondsUntilNextCode(tx, 'reset-password', email.key)
    if (wait > 0) throw refuse('code_cooldown', { retryAfter: wait })
    const user = await tx
      .selectFrom('users')
      .select(['id', 'username', 'email'])
      .where('email_key', '=', email.key)
      .executeTakeFirst()
    const owner = user ? { userId: user.id } : 'nobody'
    const code = await issueCode(tx, deps.keys, {
      purpose: 'reset-password',
      emailKey: email.key,
      owner,
      wait,
    })
    if (!user) return
    const mail = {
      template: 'reset-password',
      to: user.email,
      values: { username: user.username, nonce: code.nonce },
    }
    await attachMail(tx, code.id, await sendLater(tx, mail, code))
  })
  deps.wake('mail')
}
