import { sql } from 'kysely'
import type { register as endpoint } from '#contract/accounts/accounts.ts'
import type { Locale } from '#contract/locales.ts'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { type QueuedMail, sendLater } from '#server/domain/mail/send-later.ts'
import { hostOf } from '#server/domain/insights/visits/counter.ts'
import { findReferrer } from '#server/domain/referrals/referrer.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { fromNow, NOW } from '#server/platform/database/times.ts'
import { consume, refund } from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'
import { isSameNetwork } from '../flow-browser.ts'
import {
  attachMail,
  codeQuotaOf,
  deleteUnsentCodes,
  issueCode,
  lockEmail,
  secondsUntilNextCode,
} from '../codes/one-time-codes.ts'
import {
  checkPassword,
  checkUsername,
  type EmailAddress,
  lookalikeKey,
  readEmail,
} from '../validate-fields.ts'
import { findByEmail } from '../user.ts'
import { holdUsername, isEmailHeld, releaseFromMistyped } from './holds.ts'

const MAX_PENDING_PER_EMAIL = 3
const LIFETIME = '24 hours'

type Input = BodyOf<typeof endpoint>

/** `browser`: the ID in the flow cookie for this email, or else a new ID. `cookie`: its unverified value. */
type Client = { browser: string; cookie: string | undefined; network: string; locale: Locale }

/**
 * Saves a registration (sign-up) with its own password and mails its code. If the email has an account, it
 * saves a decoy, which no code activates, and mails the owner a notice instead. This reply and all later ones
 * are the same in both cases, and take the same time.
 * @throws refusals `username_taken`, `unknown_referral_code`, and `invalid_input` naming the field.
 */
export async function register(deps: Deps, input: Input, client: Client): Promise<void> {
  const email = readEmail(input.email)
  checkUsername(input.username, deps.campaign)
  await checkPassword(input.password, { username: input.username, email, campaign: deps.campaign })
  const passwordHash = await deps.hasher.hash(input.password, await saltFor(deps, email.key))
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const referrer = input.referralCode ? await findReferrer(tx, input.referralCode) : undefined
    if (input.referralCode && !referrer)
      throw refuse('unknown_referral_code', { fields: { referralCode: 'unknown_referral_code' } })
    await releaseFromMistyped(tx, deps.keys, input.username, client.cookie)
    if (!(await holdUsername(tx, input.username, email.key, LIFETIME)))
      throw refuse('username_taken', { fields: { username: 'username_taken' } })
    // If the registration is not admitted, nothing is saved, and the reply is the same.
    if (await admitRegistration(tx, deps, email.key, client)) {
      const referredBy = referrer?.id ?? null
      await saveRegistration(tx, deps, { ...input, ...client, email, passwordHash, referredBy })
    }
    await releaseUsernames(tx, email.key)
  })
  deps.runSoon('mail')
}

/**
 * All registrations of an email share a salt with its account. A login hashes the password once and compares
 * it with all of them, so it takes the same time however many there are.
 * @returns a salt, or the account's hash. The new hash reuses its salt and parameters.
 */
async function saltFor({ db, keys }: Deps, emailKey: string): Promise<Buffer | string> {
  const owner = await findByEmail(db, emailKey)
  return owner?.password_hash ?? keys.hmac('pending-salt', emailKey).subarray(0, 16)
}

/**
 * Makes room for one more registration of an email, which may have three. Deletes the client's own
 * registrations with unsent codes. If three others remain, also deletes one whose code is void, or else one
 * of the same browser. Strangers cannot keep the owner from registering: other browsers' registrations with a
 * valid or queued code stay, and each network has a quota of codes.
 * @returns whether the new registration may be saved.
 */
async function admitRegistration(tx: Tx, { keys }: Deps, emailKey: string, client: Client): Promise<boolean> {
  const pending = await readPending(tx, emailKey)
  const unsent = pending.filter(({ hasUnsentCode, browser }) => hasUnsentCode && isFrom(client, browser))
  const others = pending.filter((registration) => !unsent.includes(registration))
  const isFull = others.length >= MAX_PENDING_PER_EMAIL
  const replaced = isFull ? findReplaceable(others, client.browser) : undefined
  if (isFull && !replaced) return false
  const quota = codeQuotaOf(keys, { purpose: 'verify-email', emailKey, network: client.network })
  // A code that is deleted before it is sent does not count.
  await refund(tx, unsent.length > 0 ? quota.map(({ key }) => key) : [])
  const waitSeconds = await consume(tx, ...quota)
  if (waitSeconds > 0) return false
  await deleteRegistrations(tx, [...unsent, ...(replaced ? [replaced] : [])])
  return true
}

/** Without a cookie, all browser IDs from the client's network count as its own. */
function isFrom({ browser, cookie }: Client, id: string | null): boolean {
  return id === browser || (cookie === undefined && id !== null && isSameNetwork(id, browser))
}

const findReplaceable = (pending: Awaited<ReturnType<typeof readPending>>, browser: string) =>
  pending.find((each) => !each.hasValidCode) ?? pending.find((each) => each.browser === browser)

/** Oldest first. */
function readPending(tx: Tx, emailKey: string) {
  const openCodes = sql`select from codes c where c.registration_id = r.id and c.closed_at is null`
  return tx
    .selectFrom('registrations as r')
    .select(['r.id', 'r.browser'])
    .select(sql<boolean>`exists (${openCodes} and c.expires_at > now())`.as('hasValidCode'))
    .select(sql<boolean>`exists (${openCodes} and c.starts_at > now())`.as('hasUnsentCode'))
    .where('r.email_key', '=', emailKey)
    .orderBy('r.created_at')
    .execute()
}

async function deleteRegistrations(tx: Tx, registrations: readonly { id: string }[]): Promise<void> {
  if (registrations.length === 0) return
  const ids = registrations.map(({ id }) => id)
  await deleteUnsentCodes(tx, ids)
  await tx.deleteFrom('registrations').where('id', 'in', ids).execute()
}

/** Releases the email's usernames that no registration uses any more. */
async function releaseUsernames(tx: Tx, emailKey: string): Promise<void> {
  const kept = await tx
    .selectFrom('registrations')
    .select('username')
    .where('email_key', '=', emailKey)
    .execute()
  await tx
    .deleteFrom('usernames')
    .where('held_for', '=', emailKey)
    .where(sql<boolean>`key <> all (${kept.map(({ username }) => lookalikeKey(username))}::text[])`)
    .execute()
}

type NewRegistration = Omit<Input, 'email'> &
  Client & { email: EmailAddress; passwordHash: string; referredBy: string | null }

async function saveRegistration(
  tx: Tx,
  deps: Deps,
  { username, email, passwordHash, referredBy, announcements, arrivedFrom, browser, locale }: NewRegistration,
): Promise<void> {
  const recipient = { id: newId(), username, email: email.address, email_key: email.key, locale }
  await tx
    .insertInto('registrations')
    .values({
      ...recipient,
      password_hash: passwordHash,
      referred_by: referredBy,
      announcements_at: announcements ? NOW : null,
      arrived_from: hostOf(arrivedFrom ?? '') ?? null,
      browser,
      expires_at: fromNow(LIFETIME),
    })
    .execute()
  await mailVerificationCode(tx, deps, recipient)
}

type Recipient = { id: string; username: string; email: string; email_key: string; locale: Locale }

/**
 * Issues a code for a registration and queues its email for the end of the cooldown. For a decoy, issues a
 * code that matches no guess, and queues a notice instead. The notice goes to the account's owner, or to the
 * address if its account was deleted recently.
 */
export async function mailVerificationCode(tx: Tx, deps: Deps, to: Recipient): Promise<void> {
  const notice = await noticeFor(tx, deps, to)
  const request = { purpose: 'verify-email', emailKey: to.email_key } as const
  const waitSeconds = await secondsUntilNextCode(tx, request.purpose, request.emailKey)
  const owner = { registrationId: to.id, isDecoy: notice !== undefined }
  const { id, nonce, runAt, usefulUntil } = await issueCode(tx, deps.keys, { ...request, owner, waitSeconds })
  const values = { username: to.username, nonce }
  const mail = notice ?? { template: 'verify-email', to: to.email, values, locale: to.locale }
  const job = await sendLater(tx, mail, notice ? { runAt } : { runAt, usefulUntil })
  await attachMail(tx, id, job)
}

/**
 * The email to send instead of the code if this address cannot register. Always runs both queries, so that
 * their time does not reveal whether the address has an account.
 */
async function noticeFor(tx: Tx, { keys }: Deps, to: Recipient): Promise<QueuedMail | undefined> {
  const account = await findByEmail(tx, to.email_key)
  const isHeld = await isEmailHeld(tx, keys, to.email_key)
  if (account)
    return { template: 'account-exists', to: account.email, values: { username: account.username } }
  return isHeld ? { template: 'email-held', to: to.email, values: {}, locale: to.locale } : undefined
}
