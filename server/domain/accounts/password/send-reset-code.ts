import type { Deps } from '#server/deps.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { cancel } from '#server/platform/jobs/jobs.ts'
import { knownDevice } from '#server/domain/sessions/devices.ts'
import { admitRequest } from '../codes/code-quota.ts'
import { attachMail, issueCode, lockEmail, NOBODY } from '../codes/one-time-codes.ts'
import { findByEmail } from '../user.ts'
import { readEmail } from '../validate-fields.ts'

/** Where a code is requested from. */
export type CodeSource = {
  network: string
  /** Unverified. */
  deviceCookie?: string | undefined
}

/**
 * Mails a reset code. For an unknown email, it mails nothing and the reply is the same. A device that the
 * account knows has a cooldown of its own.
 * @throws refusal `code_cooldown` with the seconds to wait.
 */
export async function sendResetCode(deps: Deps, typedEmail: string, from: CodeSource): Promise<void> {
  const email = readEmail(typedEmail)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const user = await findByEmail(tx, email.key)
    const device = knownDevice(deps.keys, user, from.deviceCookie)
    const request = { purpose: 'reset-password', emailKey: email.key, device } as const
    await admitRequest(tx, deps.keys, { ...request, network: from.network })
    const owner = user ? { userId: user.id } : NOBODY
    const { id, nonce, runAt, usefulUntil } = await issueCode(tx, deps.keys, { ...request, owner })
    const { email: to, username } = user ?? { email: email.address, username: '' }
    const mail = { template: 'reset-password', to, values: { username, nonce } }
    const job = await sendLater(tx, mail, { runAt, usefulUntil })
    // The same number of statements either way: response time must not reveal whether an account exists.
    await (user ? attachMail(tx, id, job) : cancel(tx, [job]))
  })
  deps.runSoon('mail')
}
