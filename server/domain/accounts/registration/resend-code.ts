import { sql } from 'kysely'
import type { resendCode as endpoint } from '#contract/accounts/accounts.ts'
import { DEFAULT_LOCALE, localeNamed } from '#contract/locales.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { flowBrowserOf } from '../flow-browser.ts'
import { consumeQuota } from '../codes/code-quota.ts'
import { issueCode, lockEmail, secondsUntilNextCode } from '../codes/one-time-codes.ts'
import { type CodeSource, sendResetCode } from '../password/send-reset-code.ts'
import { mailVerificationCode } from './register.ts'
import { readEmail } from '../validate-fields.ts'

/**
 * Mails a new code. An unknown email has the same cooldown and gets the same reply.
 * @throws refusal `code_cooldown` with the seconds to wait.
 */
export async function resendCode(
  deps: Deps,
  input: BodyOf<typeof endpoint>,
  from: CodeSource & { flow?: string | undefined },
): Promise<void> {
  if (input.purpose === 'reset-password') return sendResetCode(deps, input.email, from)
  const email = readEmail(input.email)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const wait = await secondsUntilNextCode(tx, 'verify-email', email.key)
    if (wait > 0) throw refuse('code_cooldown', { retryAfter: wait })
    await consumeQuota(tx, deps, { purpose: 'verify-email', email, from })
    const browser = flowBrowserOf(deps.keys, email.key, from.flow)
    const pending = await findPending(tx, email.key, browser)
    if (!pending) {
      await issueCode(tx, deps.keys, { purpose: 'verify-email', emailKey: email.key, owner: 'nobody', wait })
      return
    }
    const { id: registrationId, username, email: address } = pending
    const locale = localeNamed(pending.locale) ?? DEFAULT_LOCALE
    await mailVerificationCode(tx, deps, {
      registrationId,
      username,
      email: address,
      emailKey: email.key,
      locale,
    })
  })
  deps.wake('mail')
}

/** Prefers the browser's own registrations, since strangers may have registered later; then the newest. */
function findPending(tx: Tx, emailKey: string, browser: string | undefined) {
  return tx
    .selectFrom('registrations')
    .select(['id', 'username', 'email', 'locale'])
    .where('email_key', '=', emailKey)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy(sql`browser is not distinct from ${browser ?? ''}`, 'desc')
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}
