import { sql } from 'kysely'
import { DEFAULT_LOCALE, localeNamed } from '#contract/locales.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { type RateLimit, retryAfter, consumeAll } from '#server/platform/limits/rate-limiter.ts'
import type { Keys } from '#server/platform/secrets.ts'
import { isEmailHeld } from '../deletion/held-emails.ts'
import type { CodeVerifier } from './verify-code.ts'

const DAY = 86_400
/** Over all codes, from any network; locks for a full day once used up. */
const WRONG_GUESSES: RateLimit = { take: 20, seconds: DAY, lock: { maxSeconds: DAY } }
const OWNER_NOTICE: RateLimit = { take: 1, seconds: DAY }

/**
 * Each browser that requested a code or has logged in before has its own limit and all others share one, so
 * that a stranger cannot lock out the owner.
 */
const limitOf = ({ purpose, emailKey, browser, device }: CodeVerifier) => ({
  key: `wrong codes ${purpose} ${browser ?? device ?? 'without a browser'} ${emailKey}`,
  limit: WRONG_GUESSES,
})

/** The seconds until a guess is allowed; 0 if it is allowed now. */
export function secondsUntilNextGuess(tx: Tx, verifier: CodeVerifier): Promise<number> {
  return retryAfter(tx, limitOf(verifier))
}

/** Counts a wrong guess. When the limit is reached, warns the code's owner by email, at most once a day. */
export async function recordWrongGuess(tx: Tx, keys: Keys, verifier: CodeVerifier): Promise<void> {
  await consumeAll(tx, limitOf(verifier))
  if ((await secondsUntilNextGuess(tx, verifier)) > 0) await notifyOwner(tx, keys, verifier)
}

async function notifyOwner(tx: Tx, keys: Keys, { purpose, emailKey }: CodeVerifier): Promise<void> {
  const owner = await findOwner(tx, keys, { purpose, emailKey })
  const notice = { key: `notice of wrong codes ${purpose} ${emailKey}`, limit: OWNER_NOTICE }
  if (!owner || (await retryAfter(tx, notice)) > 0) return
  await consumeAll(tx, notice)
  await sendLater(tx, {
    template: 'wrong-codes',
    to: owner.email,
    values: { username: owner.username },
    // A registration has no account whose language could be read when the email is sent.
    ...(purpose === 'verify-email' ? { locale: localeNamed(owner.locale) ?? DEFAULT_LOCALE } : {}),
  })
}

/** None for a decoy: the owner of the account, or of one that was just deleted, did not request its code. */
async function findOwner(
  tx: Tx,
  keys: Keys,
  { purpose, emailKey }: Pick<CodeVerifier, 'purpose' | 'emailKey'>,
) {
  if (purpose === 'verify-email' && (await isEmailHeld(tx, keys, emailKey))) return undefined
  const hasAccount = sql<boolean>`exists (select from users where email_key = ${emailKey})`
  return tx
    .selectFrom(purpose === 'reset-password' ? 'users' : 'registrations')
    .select(['email', 'username', 'locale'])
    .where('email_key', '=', emailKey)
    .where(purpose === 'reset-password' ? hasAccount : sql<boolean>`not ${hasAccount}`)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}
