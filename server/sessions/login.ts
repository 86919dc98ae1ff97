import type { BodyOf } from '#contract/endpoint.ts'
import type { User } from '#contract/entities.ts'
import type { login as endpoint } from '#contract/sessions.ts'
import { readEmail } from '../accounts/rules.ts'
import { readUser } from '../accounts/user.ts'
import type { Deps } from '../deps.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { isOutdated } from '../platform/password-hash.ts'
import { refuse } from '../platform/refusal.ts'
import { returnLoginTry, takeLoginTry } from './login-budget.ts'
import { startSession } from './session.ts'

type Credentials = BodyOf<typeof endpoint>

/**
 * Starts a session. One hashing whatever the e-mail, so that neither the answer nor its time says
 * whether it is known; that it is unverified or suspended is said only with the right password.
 */
export async function login(
  deps: Deps,
  input: Credentials,
  network: string,
): Promise<{ token: string; user: User }> {
  const email = readEmail(input.email)
  await takeLoginTry(deps.db, email.key, network)
  const user = await deps.db
    .selectFrom('users')
    .select(['id', 'password_hash', 'banned_at'])
    .where('email_key', '=', email.key)
    .executeTakeFirst()
  if (!user) return refuseUnverified(deps, email.key, input.password, network)
  const [right] = await deps.hasher.matches(input.password, user.password_hash)
  if (!right) throw refuse('credentials_invalid')
  await returnLoginTry(deps.db, email.key, network)
  if (user.banned_at) throw refuse('account_banned')
  const token = await inTransaction(deps.db, async (tx) => {
    if (!(await stillHas(tx, user.id, user.password_hash))) throw refuse('credentials_invalid')
    return startSession(tx, user.id)
  })
  if (isOutdated(user.password_hash)) await rehash(deps, user.id, input.password)
  return { token, user: await readUser(deps.db, deps.campaign.id, user.id) }
}

/** A password that was reset while we compared the old one must not start a session. */
async function stillHas(tx: Tx, userId: string, passwordHash: string): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .forShare()
    .executeTakeFirst()
  return user !== undefined
}

async function refuseUnverified(
  deps: Deps,
  emailKey: string,
  password: string,
  network: string,
): Promise<never> {
  const pending = await deps.db
    .selectFrom('registrations')
    .select('password_hash')
    .where('email_key', '=', emailKey)
    .execute()
  const hashes = pending.map((registration) => registration.password_hash)
  if (hashes.length === 0) await deps.hasher.pretend(password)
  const matches = await deps.hasher.matches(password, ...hashes)
  if (!matches.includes(true)) throw refuse('credentials_invalid')
  await returnLoginTry(deps.db, emailKey, network)
  throw refuse('email_unverified')
}

async function rehash(deps: Deps, userId: string, password: string): Promise<void> {
  const passwordHash = await deps.hasher.hash(password)
  await deps.db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}
