import { sql } from 'kysely'
import type { BodyOf } from '#contract/protocol/endpoint.ts'
import type { User } from '#contract/entities.ts'
import type { login as endpoint } from '#contract/accounts/sessions.ts'
import { replacePassword } from '../accounts/password/password.ts'
import { readEmail } from '../accounts/validate-fields.ts'
import { mailUser } from '../mail/send-later.ts'
import { findByEmail, readUser } from '../accounts/user.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { plannedOnce } from '#server/platform/database/planned-once.ts'
import { isOutdated, saltOf } from '#server/platform/passwords/password-hash.ts'
import { refuse } from '#server/platform/refusal.ts'
import { deviceFor, knownDevice } from './devices.ts'
import {
  cancelLoginAttempt,
  consumeLoginAttempt,
  type LoginClient,
  refundFailure,
  clearFailures,
} from './login-limits.ts'
import { consumeTry, hasSecondFactor, resetTries, spendCode } from '../two-factor/factor.ts'
import type { Origin } from './origin.ts'
import { startSession } from './session.ts'

type Input = BodyOf<typeof endpoint>
export type LoginSource = {
  network: string
  /** Unverified. */
  deviceCookie?: string | undefined
  /** The binding cookie's value. Undefined if the token alone is to suffice. */
  binding?: string | undefined
  origin?: Origin | undefined
}
type LoggedIn = {
  token: string
  user: User
  newDeviceCookie: string
}

/**
 * Starts a session. Every login costs one hashing, so that its timing does not reveal whether the email is
 * known.
 * @throws refusals `credentials_invalid` and `rate_limited`; after a correct password also
 * `email_unverified`, `account_banned`, `two_factor_required` and `two_factor_wrong`.
 */
export async function login(deps: Deps, input: Input, from: LoginSource): Promise<LoggedIn> {
  const { key: emailKey } = readEmail(input.email)
  const device = await findDevice(deps, emailKey, from.deviceCookie)
  const user = await verifyPassword(deps, { emailKey, network: from.network, device }, input.password)
  const needsCode = user.hasSecondFactor
  const code = input.otp ?? ''
  if (needsCode && input.otp === undefined) throw refuse('two_factor_required')
  if (needsCode) await consumeTry(deps.db, { userId: user.id, network: from.network, code })
  const token = await inTransaction(deps.db, async (tx) => {
    if (!(await lockUser(tx, user.id, user.password_hash))) return undefined
    if (needsCode) await spendCode(tx, deps, user.id, code)
    else if (await hasSecondFactor(tx, user.id)) return undefined
    if (user.role === 'admin' && device === undefined) await mailNewDevice(tx, user.id, from)
    return startSession(tx, user.id, from)
  })
  // The password has changed, the account was banned, or two-factor login was turned on: start over.
  if (!token) return login(deps, input, from)
  if (needsCode) await resetTries(deps.db, user.id)
  const password_hash = await replaceOutdatedHash(deps, user, input.password)
  return {
    token,
    user: await readUser(deps.db, deps.campaign.id, user.id),
    newDeviceCookie: deviceFor(deps.keys, { id: user.id, password_hash }, from.deviceCookie),
  }
}

/** No query without a cookie: most rate-limited callers send none. */
async function findDevice({ db, keys }: Deps, emailKey: string, cookie: string | undefined) {
  if (cookie === undefined) return undefined
  return knownDevice(keys, await findByEmail(db, emailKey), cookie)
}

/**
 * Counts the attempt as a failure, and refunds it unless the password is wrong.
 * @throws the refusals of {@link login} that are not about a code.
 */
async function verifyPassword(deps: Deps, client: LoginClient, password: string): Promise<Account> {
  await consumeLoginAttempt(deps.db, client)
  const { user, pendingHashes } = await findPasswords(deps.db, client.emailKey)
  const matched = await matchPassword(deps, password, user?.password_hash, pendingHashes).catch(
    async (error: unknown) => {
      await cancelLoginAttempt(deps.db, client)
      throw error
    },
  )
  if (!matched) throw refuse('credentials_invalid', { fields: { password: 'credentials_invalid' } })
  if (!user || matched === 'pending') {
    await refundFailure(deps.db, client)
    throw refuse('email_unverified')
  }
  await clearFailures(deps.db, client)
  if (user.banned_at) throw refuse('account_banned')
  return user
}

type Passwords = { user: Account | undefined; pendingHashes: string[] }
type Account = {
  id: string
  password_hash: string
  banned_at: Date | null
  role: string
  hasSecondFactor: boolean
}

/** One statement for any email, so that timing does not reveal whether it is known. */
async function findPasswords(db: Database, emailKey: string): Promise<Passwords> {
  const { rows } = await sql<(Account | { id: null }) & { pendingHashes: string[] }>`
    select u.id, u.password_hash, u.banned_at, u.role,
      exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
        as "hasSecondFactor",
      array(select r.password_hash from registrations r
        where r.email_key = ${emailKey} and r.expires_at > now()) as "pendingHashes"
    from (values (1)) as one left join users u on u.email_key = ${emailKey}`.execute(plannedOnce(db))
  const [row] = rows
  return { user: row?.id ? row : undefined, pendingHashes: row?.pendingHashes ?? [] }
}

/** One hashing is enough for all hashes, since they share a salt. Without a hash, `matches` does none. */
async function matchPassword(
  { hasher }: Deps,
  password: string,
  accountHash: string | undefined,
  pendingHashes: readonly string[],
): Promise<'account' | 'pending' | undefined> {
  const hashes = accountHash === undefined ? pendingHashes : [accountHash, ...pendingHashes]
  if (hashes.length === 0) await hasher.verifyDummy(password)
  const matches = await hasher.matches(password, ...hashes)
  if (accountHash !== undefined && matches[0]) return 'account'
  return matches.includes(true) ? 'pending' : undefined
}

/** @returns whether the compared password is still current and the account is not banned. */
async function lockUser(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const user = await plannedOnce(tx)
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .where('banned_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return user !== undefined
}

async function mailNewDevice(tx: Tx, userId: string, { origin }: LoginSource): Promise<void> {
  const [device, network] = [origin?.device ?? '', origin?.network ?? '']
  await mailUser(tx, userId, 'administrator-login', { device, network, at: new Date().toISOString() })
}

/**
 * Rehashes the password if its hash has outdated parameters. Replaces only the compared hash, so that a reset
 * that commits in between wins. A failure is only logged, since the session has started. The next login
 * retries.
 * @returns the current hash; the old one if a reset has won.
 */
async function replaceOutdatedHash(deps: Deps, user: Account, password: string): Promise<string> {
  const { id, password_hash: old } = user
  if (!isOutdated(old)) return old
  try {
    const replacement = await deps.hasher.hash(password, saltOf(old))
    const passwords = { from: old, to: replacement }
    const isReplaced = await inTransaction(deps.db, (tx) => replacePassword(tx, id, passwords))
    return isReplaced ? replacement : old
  } catch (error) {
    deps.log.warn({ err: error }, 'an outdated password hash could not be replaced')
    return old
  }
}
