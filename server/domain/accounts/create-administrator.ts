import * as z from 'zod/mini'
import { NewPassword, Username } from '#contract/protocol/fields.ts'
import type { Deps } from '#server/deps.ts'
import { announce } from '../events/announce.ts'
import { record } from '../journal/record.ts'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { saltOf } from '#server/platform/passwords/password-hash.ts'
import { refuseField } from '#server/platform/refusal.ts'
import { addToLeaderboard, setOnLeaderboard } from '../ledger/board.ts'
import { endSessions } from '../sessions/session.ts'
import { lockSetupLinks } from '../setup/links.ts'
import { lockEmail } from './codes/one-time-codes.ts'
import { setPassword } from './password/password.ts'
import { findByEmail } from './user.ts'
import { checkPassword, type EmailAddress, readEmail } from './validate-fields.ts'
import { takeUsername } from './registration/holds.ts'
import { deletePendingRegistrations, newReferralCode } from './registration/verify-email.ts'

type Input = { email: string; username: string; password: string }

/**
 * Creates an administrator, or promotes the email's account: replaces its password and ends its sessions.
 * @throws refusal `invalid_input` naming the field, also if the username is taken or not the account's.
 */
export async function createAdministrator(deps: AdminDeps, input: Input): Promise<{ isNew: boolean }> {
  const create = await prepareAdministrator(deps, input)
  return inTransaction(deps.db, async (tx) => {
    await lockSetupLinks(tx)
    const { isNew } = await create(tx)
    return { isNew }
  })
}

type AdminDeps = Pick<Deps, 'db' | 'hasher' | 'campaign'>
type Administrator = { isNew: boolean; userId: string; passwordHash: string }

/**
 * Validates the input and hashes the password, which takes too long for a transaction.
 * @returns the rest of {@link createAdministrator}, for a transaction that has called {@link lockSetupLinks}:
 * a setup link may create the first administrator at the same time.
 */
export async function prepareAdministrator(
  deps: AdminDeps,
  { email: typedEmail, username, password }: Input,
): Promise<(tx: Tx) => Promise<Administrator>> {
  const email = readEmail(typedEmail)
  await checkPassword(password, { username, email, campaign: deps.campaign, isAdmin: true })
  checkFields(username, password)
  const passwordHash = await deps.hasher.hash(password, await saltFor(deps.db, email.key))
  return async (tx) => {
    await lockEmail(tx, email.key)
    const user = await lockUser(tx, email.key)
    if (user && user.username.toLowerCase() !== username.toLowerCase())
      throw refuseField('username', 'username_of_other')
    const userId = user?.id ?? (await insertUser(tx, deps.campaign.id, { email, username, passwordHash }))
    await makeAdministrator(tx, userId, passwordHash)
    await record(tx, {
      actor: null,
      action: 'role.changed',
      subject: userId,
      before: { role: user?.role ?? null },
      after: { role: 'admin' },
    })
    return { isNew: user === undefined, userId, passwordHash }
  }
}

/** Applies the contract's limits to values from outside the API. */
function checkFields(username: string, password: string): void {
  if (!z.safeParse(Username, username).success) throw refuseField('username', 'username_format')
  const fault = z.safeParse(NewPassword, password).error?.issues[0]?.message
  if (fault) throw refuseField('password', fault)
}

/**
 * The salt of the email's account, which must not change: strangers' registrations of the email share it, and
 * a login hashes the password once for all of them.
 */
async function saltFor(db: Database, emailKey: string): Promise<Buffer | undefined> {
  const account = await findByEmail(db, emailKey)
  return account && saltOf(account.password_hash)
}

function lockUser(tx: Tx, emailKey: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'username', 'role'])
    .where('email_key', '=', emailKey)
    .forUpdate()
    .executeTakeFirst()
}

type NewUser = { email: EmailAddress; username: string; passwordHash: string }

async function insertUser(
  tx: Tx,
  campaignId: string,
  { email, username, passwordHash }: NewUser,
): Promise<string> {
  const id = newId()
  await tx
    .insertInto('users')
    .values({
      id,
      username,
      email: email.address,
      email_key: email.key,
      canonical_email: email.canonical,
      password_hash: passwordHash,
      referral_code: newReferralCode(),
      // From the start: insights count every inserted `user` as a verified participant.
      role: 'admin',
    })
    .execute()
  if (!(await takeUsername(tx, username, id, email.key))) throw refuseField('username', 'username_taken')
  await deletePendingRegistrations(tx, email.key)
  // The ledger needs a standing for any claim that an administrator submits. `makeAdministrator` unlists it.
  await addToLeaderboard(tx, campaignId, id)
  return id
}

/** Also ends the account's sessions, a ban and an offer of the role, and takes the account off the board. */
export async function makeAdministrator(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await setPassword(tx, userId, passwordHash)
  await tx
    .updateTable('users')
    .set({ role: 'admin', banned_at: null, ban_reason: null, role_offered_at: null, role_offered_by: null })
    .where('id', '=', userId)
    .execute()
  await endSessions(tx, userId)
  await setOnLeaderboard(tx, userId, false)
  await announce(tx, 'leaderboard')
}
