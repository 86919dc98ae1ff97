import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { CodePurpose } from '#contract/accounts/accounts.ts'
import { CODE_LENGTH } from '#contract/protocol/fields.ts'
import { lockByName } from '#server/platform/database/advisory-lock.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { NOW } from '#server/platform/database/times.ts'
import { cancel } from '#server/platform/jobs/jobs.ts'
import { countedNetworks } from '#server/platform/limits/network.ts'
import { type CountedLimit, consume } from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'
import type { Keys } from '#server/platform/secrets.ts'

const LIFETIME = '10 minutes'
/** Per email and day, for an IPv4 address or IPv6 /64. A /56 gets four, a /48 five. */
const MAX_CODES_PER_NETWORK = 3
const DAY_SECONDS = 86_400

/** Derives the six digits of a code from its nonce; not computable without APP_SECRET. */
export function codeOf(keys: Keys, nonce: string): string {
  const bits = keys.hmac('code', Buffer.from(nonce, 'base64url')).readBigUInt64BE()
  return String(bits % 10n ** BigInt(CODE_LENGTH)).padStart(CODE_LENGTH, '0')
}

/** Codes are stored as this keyed hash. An unkeyed hash in a stolen database would reveal the code. */
export const digestOf = (keys: Keys, purpose: CodePurpose, emailKey: string, code: string) =>
  keys.hmac('code-digest', purpose, emailKey, code)

/** Serializes the transactions of one email. */
export async function lockEmail(tx: Tx, emailKey: string): Promise<void> {
  await lockByName(tx, emailKey)
}

type Requester = {
  purpose: CodePurpose
  emailKey: string
  network: string
  /** The requesting device, if it has logged in to the account before. */
  device?: string | undefined
}

/**
 * Refuses a request for a code during a cooldown. A `device` has its own cooldown. Requests without a device
 * share the email's cooldown and count toward the limits of their network.
 * @throws refusal `code_cooldown` with the seconds until the next request is allowed.
 */
export async function admitRequest(tx: Tx, keys: Keys, requester: Requester): Promise<void> {
  const { purpose, emailKey, device } = requester
  const cooldownSeconds = await secondsUntilNextCode(tx, purpose, emailKey, device)
  const isCounted = cooldownSeconds === 0 && device === undefined
  const retryAfter = isCounted ? await consume(tx, ...codeQuotaOf(keys, requester)) : cooldownSeconds
  if (retryAfter > 0) throw refuse('code_cooldown', { retryAfter })
}

/**
 * Rate limits of one network for the codes of an email, so that no stranger can use up the owner's codes.
 * Networks are stored as keyed hashes. Renaming the label `code-share` would change them.
 */
export function codeQuotaOf(keys: Keys, { purpose, emailKey, network }: Requester): CountedLimit[] {
  return countedNetworks(network).map((counted, index) => ({
    key: `codes ${purpose} ${keys.hmac('code-share', counted.network).toString('base64url', 0, 16)} ${emailKey}`,
    limit: { take: MAX_CODES_PER_NETWORK + index, seconds: DAY_SECONDS },
  }))
}

/**
 * Cooldown before the next code for this email and purpose: a minute after the last code, and at most five
 * codes an hour and ten a day. Unknown emails have the same cooldown.
 * @param device with a device, only its own requests count; without one, only requests without a device.
 * @returns seconds; 0 if a code may be sent now.
 */
export async function secondsUntilNextCode(
  tx: Tx | Database,
  purpose: CodePurpose,
  emailKey: string,
  device?: string,
): Promise<number> {
  /** When the limit allows the next code. Null, which `greatest` ignores, if the last day has fewer codes. */
  const allowedAt = (limit: number, period: string) => sql`
    (select starts_at + ${sql.lit(period)}::interval from codes
     where email_key = ${emailKey} and purpose = ${purpose} and ${isRequestedBy(device)}
       and starts_at > now() - interval '1 day'
     order by starts_at desc offset ${sql.lit(limit - 1)} limit 1)`
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from greatest(now(), ${allowedAt(1, '1 minute')}, ${allowedAt(5, '1 hour')},
      ${allowedAt(10, '1 day')}) - now())::float8 as seconds`.execute(tx)
  return rows[0]?.seconds ?? 0
}

const isRequestedBy = (device: string | undefined) =>
  device === undefined ? sql<boolean>`device is null` : sql<boolean>`device = ${device}`

/** A decoy exists only so that unknown emails get the replies of known ones. Its code matches no guess. */
type Owner = { registrationId?: string; userId?: string; isDecoy?: boolean }

/** The owner of a code for an email that has neither an account nor a registration. */
export const NOBODY: Owner = { isDecoy: true }

type CodeRequest = {
  purpose: CodePurpose
  emailKey: string
  owner: Owner
  /** Until the code may be sent. Default 0. */
  waitSeconds?: number
  device?: string | undefined
}

/** `nonce` goes into the code's email; the two times are for the job that sends it. */
type IssuedCode = { id: string; nonce: string; runAt: Date; usefulUntil: Date }

/**
 * Issues a code that may be sent after `waitSeconds` and is then valid for ten minutes, by the database's
 * clock. Closes the owner's older codes from the same device or, without one, those without a device.
 */
export async function issueCode(tx: Tx, keys: Keys, request: CodeRequest): Promise<IssuedCode> {
  const { purpose, emailKey, owner, waitSeconds = 0, device } = request
  const nonce = randomBytes(16).toString('base64url')
  const id = newId()
  await closeOlderCodes(tx, request)
  const startsAt = sql<Date>`now() + make_interval(secs => ${waitSeconds})`
  const { starts_at, expires_at } = await tx
    .insertInto('codes')
    .values({
      id,
      purpose,
      email_key: emailKey,
      device: device ?? null,
      registration_id: owner.registrationId ?? null,
      user_id: owner.userId ?? null,
      digest: owner.isDecoy ? randomBytes(32) : digestOf(keys, purpose, emailKey, codeOf(keys, nonce)),
      starts_at: startsAt,
      expires_at: sql<Date>`${startsAt} + ${sql.lit(LIFETIME)}::interval`,
    })
    .returning(['starts_at', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { id, nonce, runAt: starts_at, usefulUntil: expires_at }
}

/** Uses the index `codes_by_email`. */
async function closeOlderCodes(tx: Tx, { purpose, emailKey, owner, device }: CodeRequest): Promise<void> {
  const isOwn = sql`registration_id is not distinct from ${owner.registrationId ?? null}`
  const isOfEmail = sql`email_key = ${emailKey} and purpose = ${purpose}`
  await closeMatching(tx, sql`${isOfEmail} and ${isOwn} and ${isRequestedBy(device)}`)
}

/** Records which job mails the code, so that closing the code cancels the email. */
export async function attachMail(tx: Tx, codeId: string, mailJob: string): Promise<void> {
  await tx.updateTable('codes').set({ mail_job: mailJob }).where('id', '=', codeId).execute()
}

/** Closes every open code of an email and purpose, and cancels the queued emails with these codes. */
export async function closeCodes(tx: Tx, purpose: CodePurpose, emailKey: string): Promise<void> {
  await closeMatching(tx, sql`email_key = ${emailKey} and purpose = ${purpose}`)
}

async function closeMatching(tx: Tx, condition: RawBuilder<boolean>): Promise<void> {
  const closed = await tx
    .updateTable('codes')
    .set({ closed_at: NOW })
    .where(condition)
    .where('closed_at', 'is', null)
    .returning(['id', 'mail_job'])
    .execute()
  await cancelMails(tx, closed)
}

/** Deletes the registrations' codes that are not mailed yet. They no longer count toward the cooldown. */
export async function deleteUnsentCodes(tx: Tx, registrationIds: readonly string[]): Promise<void> {
  const deleted = await tx
    .deleteFrom('codes')
    .where('registration_id', 'in', registrationIds)
    .where('starts_at', '>', NOW)
    .returning(['id', 'mail_job'])
    .execute()
  await cancelMails(tx, deleted)
}

/**
 * For a code without an email, cancels a job that does not exist: the number of statements must not reveal
 * whether an address has an account.
 */
async function cancelMails(tx: Tx, codes: { id: string; mail_job: string | null }[]): Promise<void> {
  const jobs = codes.map(({ id, mail_job }) => mail_job ?? id)
  await cancel(tx, jobs)
}
