import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { CodePurpose } from '#contract/accounts/accounts.ts'
import { DEFAULT_LOCALE, localeNamed } from '#contract/locales.ts'
import { sendLater } from '#server/domain/mail/send-later.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { NOW } from '#server/platform/database/times.ts'
import { type RateLimit, consume, readWaitSeconds } from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { Keys } from '#server/platform/secrets.ts'
import { isEmailHeld } from '../registration/holds.ts'
import { digestOf, secondsUntilNextCode } from './one-time-codes.ts'

const DAY_SECONDS = 86_400
const GUESSES_PER_CODE = 5
/** For each key of {@link limitOf}. The twentieth guess locks for a day. */
const WRONG_GUESSES: RateLimit = { take: 20, seconds: DAY_SECONDS, lock: { maxSeconds: DAY_SECONDS } }
/** At a code that a known device requested, by all other browsers together. */
const GUESSES_OF_STRANGERS: RateLimit = { take: 20, seconds: DAY_SECONDS }
const OWNER_NOTICE: RateLimit = { take: 1, seconds: DAY_SECONDS }

export type CodeVerifier = {
  purpose: CodePurpose
  emailKey: string
  /** From the flow cookie. Undefined if this browser requested no code for the email. */
  browser: string | undefined
  /** From the device cookie, if this browser has logged in to the account before. */
  device?: string | undefined
}

type Accepted = { accepted: { registrationId: string | null; userId: string | null } }
/** `retryAfter` is in seconds. */
type Rejected =
  | { rejected: 'code_invalid' }
  | { rejected: 'code_exhausted' | 'guesses_exhausted'; retryAfter: number }

/**
 * Counts one guess against every open code of the email and purpose, compares it with each and closes the one
 * that matches. A code that a known device requested counts only that device's guesses. All other browsers
 * share one limit for guesses at such codes. The caller must lock the email, and must commit even after a
 * wrong guess, so that it stays counted.
 */
export async function verifyCode(
  tx: Tx,
  keys: Keys,
  verifier: CodeVerifier,
  code: string,
): Promise<Accepted | Rejected> {
  const { purpose, emailKey } = verifier
  const waitSeconds = await readWaitSeconds(tx, limitOf(verifier))
  if (waitSeconds > 0) return { rejected: 'guesses_exhausted', retryAfter: waitSeconds }
  const open = await countGuess(tx, verifier)
  const comparable = await limitStrangers(tx, verifier, open)
  if (comparable.length === 0) return explainRefusal(tx, verifier)
  const digest = digestOf(keys, purpose, emailKey, code)
  const match = comparable.find((candidate) => timingSafeEqual(candidate.digest, digest))
  if (!match) {
    await recordWrongGuess(tx, keys, verifier)
    return { rejected: 'code_invalid' }
  }
  await tx.updateTable('codes').set({ closed_at: NOW }).where('id', '=', match.id).execute()
  return { accepted: { registrationId: match.registration_id, userId: match.user_id } }
}

/**
 * A browser that requested a code or has logged in before has its own limit, so that strangers cannot lock
 * out the owner. All other browsers share one limit.
 */
const limitOf = ({ purpose, emailKey, browser, device }: CodeVerifier) => ({
  key: `wrong codes ${purpose} ${browser ?? device ?? 'without a browser'} ${emailKey}`,
  limit: WRONG_GUESSES,
})

/** @returns the open codes that had guesses left. */
function countGuess(tx: Tx, { purpose, emailKey, device }: CodeVerifier) {
  return tx
    .updateTable('codes')
    .set({ attempts: sql`attempts + (device is null or device is not distinct from ${device ?? null})::int` })
    .where('email_key', '=', emailKey)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .where('starts_at', '<=', NOW)
    .where('expires_at', '>', NOW)
    .where('attempts', '<', GUESSES_PER_CODE)
    .returning(['id', 'digest', 'registration_id', 'user_id', 'device'])
    .execute()
}

type OpenCode = Awaited<ReturnType<typeof countGuess>>[number]

/**
 * Counts the guess toward {@link GUESSES_OF_STRANGERS} if another known device requested one of the open
 * codes.
 * @returns the open codes; once the limit is reached, without those of other devices.
 */
async function limitStrangers(
  tx: Tx,
  { emailKey, device }: CodeVerifier,
  open: OpenCode[],
): Promise<OpenCode[]> {
  const isOfOtherDevice = (code: OpenCode) => code.device !== null && code.device !== device
  if (!open.some(isOfOtherDevice)) return open
  const key = `strangers at codes of devices ${emailKey}`
  const waitSeconds = await consume(tx, { key, limit: GUESSES_OF_STRANGERS })
  return waitSeconds > 0 ? open.filter((code) => !isOfOtherDevice(code)) : open
}

async function explainRefusal(tx: Tx, { purpose, emailKey, device }: CodeVerifier): Promise<Rejected> {
  const exhausted = await tx
    .selectFrom('codes')
    .select('id')
    .where('email_key', '=', emailKey)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .where('expires_at', '>', NOW)
    .where('attempts', '>=', GUESSES_PER_CODE)
    .executeTakeFirst()
  if (!exhausted) return { rejected: 'code_invalid' }
  return { rejected: 'code_exhausted', retryAfter: await secondsUntilNextCode(tx, purpose, emailKey, device) }
}

/** Counts a wrong guess. When the limit is reached, warns the code's owner by email, at most once a day. */
async function recordWrongGuess(tx: Tx, keys: Keys, verifier: CodeVerifier): Promise<void> {
  await consume(tx, limitOf(verifier)) // The call that reaches the limit gets no wait yet.
  if ((await readWaitSeconds(tx, limitOf(verifier))) > 0) await notifyOwner(tx, keys, verifier)
}

async function notifyOwner(tx: Tx, keys: Keys, verifier: CodeVerifier): Promise<void> {
  const { purpose, emailKey } = verifier
  const owner = await findOwner(tx, keys, verifier)
  const notice = { key: `notice of wrong codes ${purpose} ${emailKey}`, limit: OWNER_NOTICE }
  if (!owner || (await consume(tx, notice)) > 0) return
  await sendLater(tx, {
    template: 'wrong-codes',
    to: owner.email,
    values: { username: owner.username },
    // An account's language is read when the email is sent. A registration has no account yet.
    ...(purpose === 'verify-email' ? { locale: localeNamed(owner.locale) ?? DEFAULT_LOCALE } : {}),
  })
}

/**
 * The account whose password is reset, or the email's newest registration. Undefined for a decoy, whose code
 * was never mailed: its email belongs to an account, or did until recently.
 */
async function findOwner(tx: Tx, keys: Keys, { purpose, emailKey }: CodeVerifier) {
  if (purpose === 'verify-email' && (await isEmailHeld(tx, keys, emailKey))) return undefined
  return tx
    .selectFrom(purpose === 'reset-password' ? 'users' : 'registrations')
    .select(['email', 'username', 'locale'])
    .where('email_key', '=', emailKey)
    .$if(purpose === 'verify-email', (query) =>
      query.where(sql<boolean>`not exists (select from users where email_key = ${emailKey})`),
    )
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}

export function refuseCode({ rejected, ...wait }: Rejected) {
  return refuse(rejected, { ...wait, fields: { otp: rejected } })
}
