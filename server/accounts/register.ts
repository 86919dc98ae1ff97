import { sql } from 'kysely'
import type { register as endpoint } from '#contract/accounts.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { Deps } from '../deps.ts'
import { sendLater } from '../mail/send-later.ts'
import { type Database, inTransaction, type Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { refuse } from '../platform/refusal.ts'
import { findReferrer } from '../referrals/find-referrer.ts'
import { isSameNetwork } from './flow-browser.ts'
import { codeShareOf, giveShareBack, takeShare } from './code-share.ts'
import { attachMail, dropWaitingCodes, issueCode, lockEmail, secondsUntilNextCode } from './codes.ts'
import { checkPassword, checkUsername, type EmailAddress, readEmail, skeletonOf } from './rules.ts'

const PENDING_PER_EMAIL = 3
const HOLD = '24 hours'

/** Who registers an e-mail: only what that browser asked for itself may give way to it. */
type Asker = { browser: string; hasCookie: boolean; network: string }

/**
 * Keeps a pending registration with its own password, and mails its own code. For an e-mail that has an account it
 * keeps a decoy, which no code activates, and its owner is told by mail: the answer, how long it takes, and what
 * every later call says are the same.
 */
export async function register(deps: Deps, input: BodyOf<typeof endpoint>, asker: Asker): Promise<void> {
  const email = readEmail(input.email)
  checkUsername(input.username, deps.campaign)
  checkPassword(input.password, { username: input.username, email, campaign: deps.campaign })
  const passwordHash = await deps.hasher.hash(input.password, await saltFor(deps, email.key))
  await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, email.key)
    const referredBy = input.referralCode ? await findReferrer(tx, input.referralCode) : undefined
    if (input.referralCode && !referredBy) throw refuse('unknown_referral_code', { fields: REFERRAL_FIELD })
    await holdUsername(tx, input.username, email.key)
    const pending = {
      ...input,
      email,
      passwordHash,
      referredBy: referredBy?.id ?? null,
      browser: asker.browser,
    }
    if (await makeRoom(tx, deps, email.key, asker)) await keepPending(tx, deps, pending)
    await releaseNames(tx, email.key)
  })
  deps.wake('mail')
}

const REFERRAL_FIELD = { referralCode: 'unknown_referral_code' }

/**
 * Whatever is pending for an e-mail shares a salt, with its account if there is one, so that one hashing compares a
 * password with all of them: a login takes the same time whether there are none, one or four.
 */
async function saltFor({ db, keys }: Deps, emailKey: string): Promise<Buffer | string> {
  const owner = await findOwner(db, emailKey)
  return owner?.password_hash ?? keys.hmac('pending-salt', emailKey).subarray(0, 16)
}

function findOwner(db: Database | Tx, emailKey: string) {
  return db
    .selectFrom('users')
    .select(['email', 'username', 'password_hash'])
    .where('email_key', '=', emailKey)
    .executeTakeFirst()
}

async function holdUsername(tx: Tx, username: string, emailKey: string): Promise<void> {
  const until = sql<Date>`now() + ${sql.lit(HOLD)}::interval`
  const held = await tx
    .insertInto('usernames')
    .values({ key: skeletonOf(username), held_for: emailKey, held_until: until })
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

/**
 * Of more than three registrations one gives way: whose code is dead, else the browser's own. Inside the cooldown
 * the browser's own whose mail has not left goes anyway: its newest counts. Nobody else's gives way while its code
 * is under way or lives, and no network gets more than its share of codes, or strangers could keep an e-mail from
 * registering.
 * @returns whether there is room for one more.
 */
async function makeRoom(tx: Tx, { keys }: Deps, emailKey: string, asker: Asker): Promise<boolean> {
  const { browser, network } = asker
  const pending = await readPending(tx, emailKey)
  const unsent = pending.filter((one) => one.isWaiting && isAskers(one.asked_by, asker))
  const others = pending.filter((one) => !unsent.includes(one))
  const inTheWay = others.length < PENDING_PER_EMAIL ? undefined : whoGives(others, browser)
  if (others.length >= PENDING_PER_EMAIL && !inTheWay) return false
  const share = codeShareOf(keys, { purpose: 'verify-email', emailKey, network })
  if (unsent.length > 0) await giveShareBack(tx, share)
  if (!(await takeShare(tx, share))) return false
  await drop(tx, [...unsent, ...(inTheWay ? [inTheWay] : [])])
  return true
}

/** Of the same browser; of the same network where the caller has no cookie, as programs have none. */
function isAskers(askedBy: string | null, { browser, hasCookie }: Asker): boolean {
  return askedBy === browser || (!hasCookie && askedBy !== null && isSameNetwork(askedBy, browser))
}

const whoGives = (pending: Awaited<ReturnType<typeof readPending>>, browser: string) =>
  pending.find(({ isAlive }) => !isAlive) ?? pending.find(({ asked_by }) => asked_by === browser)

/** The oldest first; with whether a code of it lives or waits for its time. */
function readPending(tx: Tx, emailKey: string) {
  const open = sql`select from codes c where c.registration_id = r.id and c.closed_at is null`
  return tx
    .selectFrom('registrations as r')
    .select(['r.id', 'r.asked_by'])
    .select(sql<boolean>`exists (${open} and c.expires_at > now())`.as('isAlive'))
    .select(sql<boolean>`exists (${open} and c.starts_at > now())`.as('isWaiting'))
    .where('r.email_key', '=', emailKey)
    .orderBy('r.created_at')
    .execute()
}

async function drop(tx: Tx, registrations: readonly { id: string }[]): Promise<void> {
  if (registrations.length === 0) return
  const ids = registrations.map(({ id }) => id)
  await dropWaitingCodes(tx, ids)
  await tx.deleteFrom('registrations').where('id', 'in', ids).execute()
}

/** A name is held as long as its registration; one that was not kept holds none. */
async function releaseNames(tx: Tx, emailKey: string): Promise<void> {
  const kept = await tx
    .selectFrom('registrations')
    .select('username')
    .where('email_key', '=', emailKey)
    .execute()
  await tx
    .deleteFrom('usernames')
    .where('held_for', '=', emailKey)
    .where(sql<boolean>`key <> all (${kept.map(({ username }) => skeletonOf(username))}::text[])`)
    .execute()
}

type Pending = {
  username: string
  email: EmailAddress
  passwordHash: string
  referredBy: string | null
  announcements?: boolean | undefined
  browser: string
}

async function keepPending(
  tx: Tx,
  deps: Deps,
  { username, email, passwordHash, referredBy, announcements, browser }: Pending,
): Promise<void> {
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
      asked_by: browser,
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

type Recipient = { registrationId: string; username: string; email: string; emailKey: string }

/**
 * Issues a code for a pending registration and queues its mail for when it may leave. For a decoy the owner of
 * the account is told in its place.
 */
export async function mailVerificationCode(tx: Tx, deps: Deps, to: Recipient): Promise<void> {
  const { registrationId, emailKey } = to
  const account = await findOwner(tx, emailKey)
  const wait = await secondsUntilNextCode(tx, 'verify-email', emailKey)
  const owner = { registrationId, isDecoy: account !== undefined }
  const code = await issueCode(tx, deps.keys, { purpose: 'verify-email', emailKey, owner, wait })
  const mail = account
    ? { template: 'account-exists', to: account.email, values: { username: account.username } }
    : { template: 'verify-email', to: to.email, values: { username: to.username, nonce: code.nonce } }
  const when = account ? { runAt: code.runAt } : code
  await attachMail(tx, code.id, await sendLater(tx, mail, when))
}
