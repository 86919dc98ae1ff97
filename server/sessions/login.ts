import { sql } from 'kysely'
import type { BodyOf } from '#contract/endpoint.ts'
import type { User } from '#contract/entities.ts'
import type { login as endpoint } from '#contract/sessions.ts'
import { replacePassword } from '../accounts/reset-password.ts'
import { readEmail } from '../accounts/rules.ts'
import { readUser } from '../accounts/user.ts'
import type { Deps } from '../deps.ts'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { isOutdated, saltOf } from '../platform/password-hash.ts'
import { refuse } from '../platform/refusal.ts'
import { deviceFor, knownDevice } from './devices.ts'
import { giveTryBack, refundLoginAttempt, consumeLoginAttempt, undoLoginTry } from './login-budget.ts'
import { startSession } from './session.ts'

type Given = BodyOf<typeof endpoint>
type From = {
  network: string
  /** What the browser keeps of earlier logins, as it came. */
  device?: string | undefined
  /** What the session is bound to; undefined for a plain bearer. */
  binding?: string | undefined
}
type LoggedIn = {
  token: string
  user: User
  /** What the browser is to keep, to be known at the next login. */
  device: string
}

/**
 * Starts a session. One hashing whatever the e-mail, so that neither the answer nor its time says
 * whether it is known; that it is unverified or suspended is said only with the right password.
 */
export async function login(deps: Deps, input: Given, from: From): Promise<LoggedIn> {
  const email = readEmail(input.email)
  const device = await deviceOf(deps, email.key, from.device)
  const comer = { emailKey: email.key, network: from.network, device }
  await consumeLoginAttempt(deps.db, comer)
  const user = await findUser(deps.db, email.key)
  const pending = await pendingHashes(deps.db, email.key)
  const matched = await compare(deps, input.password, user?.password_hash, pending).catch(
    async (error: unknown) => {
      await undoLoginTry(deps.db, comer)
      throw error
    },
  )
  if (!matched) throw refuse('credentials_invalid')
  if (!user || matched === 'pending') {
    await giveTryBack(deps.db, comer)
    throw refuse('email_unverified')
  }
  await refundLoginAttempt(deps.db, comer)
  if (user.banned_at) throw refuse('account_banned')
  const token = await inTransaction(deps.db, async (tx) =>
    (await stillHas(tx, user.id, user.password_hash)) ? startSession(tx, user.id, from.binding) : undefined,
  )
  // The password was changed while we compared the old one: judge what was given once more.
  if (!token) return login(deps, input, from)
  const password_hash = isOutdated(user.password_hash)
    ? await rehash(deps, user, input.password)
    : user.password_hash
  return {
    token,
    user: await readUser(deps.db, deps.campaign.id, user.id),
    device: deviceFor(deps.keys, { id: user.id, password_hash }, from.device),
  }
}

/** Most who are over their budget hold nothing, and cost no look at the account. */
async function deviceOf(deps: Deps, emailKey: string, held: string | undefined) {
  return held === undefined ? undefined : knownDevice(deps.keys, await findUser(deps.db, emailKey), held)
}

function findUser(db: Database, emailKey: string) {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash', 'banned_at'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
}

/** Of registrations that wait for their code, and of decoys. */
async function pendingHashes(db: Database, emailKey: string): Promise<string[]> {
  const pending = await db
    .selectFrom('registrations')
    .select('password_hash')
    .where('email_key', '=', emailKey)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
  return pending.map((registration) => registration.password_hash)
}

/** One hashing, since all of them share a salt. @returns what the password is right for. */
async function compare(
  { hasher }: Deps,
  password: string,
  account: string | undefined,
  pending: readonly string[],
): Promise<'account' | 'pending' | undefined> {
  const hashes = account === undefined ? pending : [account, ...pending]
  if (hashes.length === 0) await hasher.verifyDummy(password)
  const matches = await hasher.matches(password, ...hashes)
  if (account !== undefined && matches[0]) return 'account'
  return matches.includes(true) ? 'pending' : undefined
}

/**
 * A password that was reset while we compared the old one must not start a session. Logins of one user
 * wait here for each other, so that each counts the sessions of the others.
 */
async function stillHas(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return user !== undefined
}

/**
 * Only in place of the hash that was compared: a reset in between must stand.
 * @returns the new hash.
 */
async function rehash(
  deps: Deps,
  { id, password_hash: old }: { id: string; password_hash: string },
  password: string,
): Promise<string> {
  const passwordHash = await deps.hasher.hash(password, saltOf(old))
  await inTransaction(deps.db, (tx) => replacePassword(tx, id, { from: old, to: passwordHash }))
  return passwordHash
}
