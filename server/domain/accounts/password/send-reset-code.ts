import type { Deps } from '#server/deps.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { cancel } from '#server/platform/jobs.ts'
import { refuse } from '#server/platform/refusal.ts'
import { knownDevice } from '#server/domain/sessions/devices.ts'
import { consumeQuota } from '../codes/code-quota.ts'
import { attachMail, issueCode, lockEmail, secondsUntilNextCode } from '../codes/one-time-codes.ts'
import { readEmail } from '../validate-fields.ts'

/** Where a code is requested from. */
export type CodeSource = {
  network: string
  /** The device cookie, unverified. */
  device?: string | undefined
}

/**
 * Mails a reset code. For an unknown email nothing is mailed and the reply is the same. A device that the
 * account knows has a cooldown of its own.
 * @throws refusal `code_cooldown` with the seconds to wait.
 */
export async function sendResetCode(deps: Deps, typedEmail: string, from: CodeSource): Promise<void> {
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
    if (device === undefined) await consumeQuota(tx, deps, { purpose: 'reset-password', email, from })
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
    // The same number of statements either way: response time must not reveal whether an account exists.
    await (user ? attachMail(tx, code.id, job) : cancel(tx, [job]))
  })
  deps.wake('mail')
}
