import type { Deps } from '../deps.ts'
import { sendLater } from '../mail/send-later.ts'
import { inTransaction } from '../platform/database.ts'
import { cancel } from '../platform/jobs.ts'
import { refuse } from '../platform/refusal.ts'
import { knownDevice } from '../sessions/devices.ts'
import { attachMail, issueCode, lockEmail, secondsUntilNextCode } from './codes.ts'
import { readEmail } from './rules.ts'

/**
 * Mails a reset code; for an e-mail without an account nothing leaves and the answer is the same.
 * @param held what the browser keeps of earlier logins, as it came.
 */
export async function sendResetCode(deps: Deps, typedEmail: string, held?: string): Promise<void> {
  const email = readEmail(typedEmail)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const user = await tx
      .selectFrom('users')
      .select(['id', 'username', 'email', 'password_hash'])
      .where('email_key', '=', email.key)
      .executeTakeFirst()
    const device = knownDevice(deps.keys, user, held)
    const wait = await secondsUntilNextCode(tx, 'reset-password', email.key, device)
    if (wait > 0) throw refuse('code_cooldown', { retryAfter: wait })
    const owner = user ? { userId: user.id } : 'nobody'
    const code = await issueCode(tx, deps.keys, {
      purpose: 'reset-password',
      emailKey: email.key,
      owner,
      wait,
      device,
    })
    const { email: to, username } = user ?? { email: email.address, username: '' }
    const values = { username, nonce: code.nonce }
    const job = await sendLater(tx, { template: 'reset-password', to, values }, code)
    // As many statements with an account as without one, so that the time does not tell.
    await (user ? attachMail(tx, code.id, job) : cancel(tx, [job]))
  })
  deps.wake('mail')
}
