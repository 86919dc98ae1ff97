import type { Deps } from '../deps.ts'
import { sendLater } from '../mail/send-later.ts'
import { inTransaction } from '../platform/database.ts'
import { cancel } from '../platform/jobs.ts'
import { refuse } from '../platform/refusal.ts'
import { knownDevice } from '../sessions/devices.ts'
import { takeShareOrRefuse } from './code-share.ts'
import { attachMail, issueCode, lockEmail, secondsUntilNextCode } from './codes.ts'
import { readEmail } from './rules.ts'

/** Where a code is asked for. */
export type From = {
  network: string
  /** What the browser keeps of earlier logins, as it came. */
  device?: string | undefined
}

/**
 * Mails a reset code; for an e-mail without an account nothing leaves and the answer is the same.
 * @param from where it is asked for; a device that is known to the account has codes of its own.
 */
export async function sendResetCode(deps: Deps, typedEmail: string, from: From): Promise<void> {
  const email = readEmail(typedEmail)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const user = await tx
      .selectFrom('users')
      .select(['id', 'username', 'email', 'password_hash'])
      .where('email_key', '=', email.key)
      .executeTakeFirst()
    const device = knownDevice(deps.keys, user, from.device)
    const wait = await secondsUntilNextCode(tx, 'reset-password', email.key, device)
    if (wait > 0) throw refuse('code_cooldown', { retryAfter: wait })
    if (device === undefined) await takeShareOrRefuse(tx, deps, { purpose: 'reset-password', email, from })
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
