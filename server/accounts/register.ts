import { sql } from 'kysely'
import type { register as endpoint } from '#contract/accounts.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { sendLater } from '../mail/send-later.ts'
import { inTransaction, type Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { refuse } from '../platform/refusal.ts'
import { findReferrer } from '../referrals/find-referrer.ts'
import { attachMail, dropWaitingCodes, issueCode, lockEmail, secondsUntilNextCode } from './codes.ts'
import { checkPassword, checkUsername, type EmailAddress, readEmail } from './rules.ts'

const PENDING_PER_EMAIL = 3
const HOLD = '24 hours'

/**
 * Keeps a pending registration with its own password, and mails its own code. What happens, and how long
 * it takes, is the same for an e-mail that already has an account; its owner is told by mail.
 */
export async function register(deps: Deps, input: BodyOf<typeof endpoint>): Promise<void> {
  const email = readEmail(input.email)
  checkUsername(input.username)
  checkPassword(input.password, { username: input.username, email, campaign: deps.campaign })
  const passwordHash = await deps.hasher.hash(input.password, pendingSalt(deps, email.key))
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const referredBy = input.referralCode ? await findReferrer(tx, input.referralCode) : undefined
    if (input.referralCode && !referredBy) throw refuse('unknown_referral_code', { fields: REFERRAL_FIELD })
    await holdUsername(tx, input.username, email.key)
    await dropUnmailed(tx, email.key)
    const pending = { ...input, email, passwordHash, referredBy: referredBy?.id ?? null }
    await ((await hasAccount(tx, email.key)) ? tellOwner(tx, deps, email) : keepPending(tx, deps, pending))
  })
  deps.wake('mail')
}

const REFERRAL_FIELD = { referralCode: 'unknown_referral_code' }

/**
 * Pending registrations of one e-mail share a salt, so that one hashing compares a password with all of
 * them: a login takes the same time whether there are none, one or three.
 */
function pendingSalt(deps: Deps, emailKey: string): Buffer {
  return deps.keys.hmac('pending-salt', emailKey).subarray(0, 16)
}

async function hasAccount(tx: Tx, emailKey: string): Promise<boolean> {
  const user = await tx.selectFrom('users').select('id').where('email_key', '=', emailKey).executeTakeFirst()
  return user !== undefined
}

/** Held also when the e-mail has an account: otherwise the next caller could tell the difference. */
async function holdUsername(tx: Tx, username: string, emailKey: string): Promise<void> {
  const until = sql<Date>`now() + ${sql.lit(HOLD)}::interval`
  const held = await tx
    .insertInto('usernames')
    .values({ key: username.toLowerCase(), held_for: emailKey, held_until: until })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ held_for: emailKey, held_until: until })
        .where('usernames.user_id', 'is', null)
        .where((where) =>
          where.or([
            where('usernames.held_for', '=', emailKey),
            where('usernames.held_until', '<', sql<Date>`now()`),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  if (!held) throw refuse('username_taken', { fields: { username: 'username_taken' } })
}

/** Inside the cooldown the newest registration takes the place of one whose mail has not left. */
async function dropUnmailed(tx: Tx, emailKey: string): Promise<void> {
  const registrations = await dropWaitingCodes(tx, 'verify-email', emailKey)
  if (registrations.length > 0)
    await tx.deleteFrom('registrations').where('id', 'in', registrations).execute()
}

async function tellOwner(tx: Tx, deps: Deps, email: EmailAddress): Promise<void> {
  const wait = await secondsUntilNextCode(tx, 'verify-email', email.key)
  const code = await issueCode(tx, deps.keys, {
    purpose: 'verify-email',
    emailKey: email.key,
    owner: 'nobody',
    wait,
  })
  const owner = await tx
    .selectFrom('users')
    .select(['email', 'username'])
    .where('email_key', '=', email.key)
    .executeTakeFirstOrThrow()
  const mail = { template: 'account-exists', to: owner.email, values: { username: owner.username } }
  await attachMail(tx, code.id, await sendLater(tx, mail, { runAt: code.runAt }))
}

type Pending = {
  username: string
  email: EmailAddress
  passwordHash: string
  referredBy: string | null
  announcements?: boolean | undefined
}

async function keepPending(
  tx: Tx,
  deps: Deps,
  { username, email, passwordHash, referredBy, announcements }: Pending,
): Promise<void> {
  await makeRoom(tx, email.key)
  const registrationId = newId()
  await tx
    .insertInto('registrations')
    .values({
      id: registrationId,
      username,
      email: email.address,
      email_key: email.key,
      password_hash: passwordHash,
      referred_by: referredBy,
      announcements_at: announcements ? sql<Date>`now()` : null,
      expires_at: sql<Date>`now() + ${sql.lit(HOLD)}::interval`,
    })
    .execute()
  await mailVerificationCode(tx, deps, {
    registrationId,
    username,
    email: email.address,
    emailKey: email.key,
  })
}

/** Of more than three pending registrations the one goes whose code is dead, else the oldest. */
async function makeRoom(tx: Tx, emailKey: string): Promise<void> {
  await tx
    .deleteFrom('registrations')
    .where('id', 'in', (query) =>
      query
        .selectFrom('registrations as r')
        .select('r.id')
        .where('r.email_key', '=', emailKey)
        .orderBy(
          (order) =>
            order.exists(
              order
                .selectFrom('codes as c')
                .select('c.id')
                .whereRef('c.registration_id', '=', 'r.id')
                .where('c.closed_at', 'is', null)
                .where('c.expires_at', '>', sql<Date>`now()`),
            ),
          'desc',
        )
        .orderBy('r.created_at', 'desc')
        .offset(PENDING_PER_EMAIL - 1),
    )
    .execute()
}

type Recipient = { registrationId: string; username: string; email: string; emailKey: string }

/** Issues a code for a pending registration and queues its mail for when it may leave. */
export async function mailVerificationCode(tx: Tx, deps: Deps, to: Recipient): Promise<void> {
  const wait = await secondsUntilNextCode(tx, 'verify-email', to.emailKey)
  const owner = { registrationId: to.registrationId }
  const code = await issueCode(tx, deps.keys, { purpose: 'verify-email', emailKey: to.emailKey, owner, wait })
  const mail = {
    template: 'verify-email',
    to: to.email,
    values: { username: to.username, nonce: code.nonce },
  }
  await attachMail(tx, code.id, await sendLater(tx, mail, code))
}
