import { sql } from 'kysely'
import type { resendCode as endpoint } from '#contract/accounts/accounts.ts'
import { DEFAULT_LOCALE, localeNamed } from '#contract/locales.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { flowBrowserOf } from '../flow-browser.ts'
import { admitRequest, issueCode, lockEmail, NOBODY } from '../codes/one-time-codes.ts'
import { type CodeSource, sendResetCode } from '../password/reset-password.ts'
import { mailVerificationCode } from './register.ts'
import { readEmail } from '../validate-fields.ts'

/**
 * Mails a new code. An unknown email gets none, but has the same cooldown and the same reply.
 * @throws refusal `code_cooldown` with the seconds to wait.
 */
export async function resendCode(
  deps: Deps,
  input: BodyOf<typeof endpoint>,
  from: CodeSource & { flowCookie?: string | undefined },
): Promise<void> {
  if (input.purpose === 'reset-password') return sendResetCode(deps, input.email, from)
  const email = readEmail(input.email)
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const request = { purpose: 'verify-email', emailKey: email.key } as const
    await admitRequest(tx, deps.keys, { ...request, network: from.network })
    const pending = await findPending(tx, email.key, flowBrowserOf(deps.keys, email.key, from.flowCookie))
    const locale = localeNamed(pending?.locale) ?? DEFAULT_LOCALE
    if (pending) await mailVerificationCode(tx, deps, { ...pending, locale })
    else await issueCode(tx, deps.keys, { ...request, owner: NOBODY })
  })
  deps.runSoon('mail')
}

/** The newest registration from this browser or, if there is none, from any browser. */
function findPending(tx: Tx, emailKey: string, browser: string | undefined) {
  return tx
    .selectFrom('registrations')
    .select(['id', 'username', 'email', 'email_key', 'locale'])
    .where('email_key', '=', emailKey)
    .where('expires_at', '>', NOW)
    .orderBy(sql`browser is not distinct from ${browser ?? ''}`, 'desc') // no registration has ''
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}
