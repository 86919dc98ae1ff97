import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { CODE_LENGTH } from '#contract/fields.ts'
import type { Database, Tx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { cancel } from '../platform/jobs.ts'
import type { Keys } from '../platform/secrets.ts'

export type Purpose = 'verify-email' | 'reset-password'

const LIFETIME = '10 minutes'

/** The six digits that stand for a nonce. Only who has APP_SECRET can tell them. */
export function codeOf(keys: Keys, nonce: string): string {
  const bits = keys.hmac('code', Buffer.from(nonce, 'base64url')).readBigUInt64BE()
  return String(bits % 10n ** BigInt(CODE_LENGTH)).padStart(CODE_LENGTH, '0')
}

/** What is kept of a code: nobody finds it by trying all of them without APP_SECRET. */
export const digestOf = (keys: Keys, purpose: Purpose, emailKey: string, code: string) =>
  keys.hmac('code-digest', purpose, emailKey, code)

/** Makes callers that work on one e-mail wait for each other until their transaction ends. */
export async function lockEmail(tx: Tx, emailKey: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${emailKey}, 369))`.execute(tx)
}

/**
 * When the next code for this e-mail and purpose may leave: a minute after the last, at most five an
 * hour and ten a day. The same for e-mails that nobody registered.
 * @param device known to the account, that asks: what strangers ask for does not count against it.
 * @returns seconds from now; 0 when it may leave at once.
 */
export async function secondsUntilNextCode(
  tx: Tx | Database,
  purpose: Purpose,
  emailKey: string,
  device?: string,
): Promise<number> {
  const after = (skip: number, wait: string) => sql`
    (select starts_at + ${sql.lit(wait)}::interval from codes
     where email_key = ${emailKey} and purpose = ${purpose} and ${isAskedBy(device)} and starts_at > now() - interval '1 day'
     order by starts_at desc offset ${sql.lit(skip)} limit 1)`
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from
      greatest(now(), ${after(0, '1 minute')}, ${after(4, '1 hour')}, ${after(9, '1 day')}) - now())::float8 as seconds
  `.execute(tx)
  return rows[0]?.seconds ?? 0
}

const isAskedBy = (device: string | undefined) =>
  device === undefined ? sql<boolean>`asked_by is null` : sql<boolean>`asked_by = ${device}`

/** A decoy's code, like nobody's, matches no guess. */
type Owner = { registrationId: string; isDecoy: boolean } | { userId: string } | 'nobody'

type Wanted = {
  purpose: Purpose
  emailKey: string
  owner: Owner
  /** Seconds. */
  wait: number
  /** Known to the account, that asks. */
  device?: string | undefined
}

export type Issued = { id: string; nonce: string; runAt: Date; usefulUntil: Date }

/**
 * Issues a code that may leave in `wait` seconds and lives for ten minutes from then, by the database's
 * clock. The owner's older codes are void, but no stranger voids what a device asked for.
 */
export async function issueCode(
  tx: Tx,
  keys: Keys,
  { purpose, emailKey, owner, wait, device }: Wanted,
): Promise<Issued> {
  const nonce = randomBytes(16).toString('base64url')
  const id = newId()
  const isDecoy = owner === 'nobody' || ('isDecoy' in owner && owner.isDecoy)
  await closeCodesOf(tx, owner, device)
  const startsAt = sql<Date>`now() + make_interval(secs => ${wait})`
  const { starts_at, expires_at } = await tx
    .insertInto('codes')
    .values({
      id,
      purpose,
      email_key: emailKey,
      asked_by: device ?? null,
      registration_id: owner !== 'nobody' && 'registrationId' in owner ? owner.registrationId : null,
      user_id: owner !== 'nobody' && 'userId' in owner ? owner.userId : null,
      digest: isDecoy ? randomBytes(32) : digestOf(keys, purpose, emailKey, codeOf(keys, nonce)),
      starts_at: startsAt,
      expires_at: sql<Date>`${startsAt} + ${sql.lit(LIFETIME)}::interval`,
    })
    .returning(['starts_at', 'expires_at'])
    .executeTakeFirstOrThrow()
  return { id, nonce, runAt: starts_at, usefulUntil: expires_at }
}

/** Remembers which job mails the code. */
export async function attachMail(tx: Tx, codeId: string, mailJob: string): Promise<void> {
  await tx.updateTable('codes').set({ mail_job: mailJob }).where('id', '=', codeId).execute()
}

async function closeCodesOf(tx: Tx, owner: Owner, device: string | undefined): Promise<void> {
  if (owner === 'nobody') return
  const [column, id] =
    'userId' in owner
      ? (['user_id', owner.userId] as const)
      : (['registration_id', owner.registrationId] as const)
  const closed = await tx
    .updateTable('codes')
    .set({ closed_at: sql`now()` })
    .where(column, '=', id)
    .where(isAskedBy(device))
    .where('closed_at', 'is', null)
    .returning('mail_job')
    .execute()
  await cancelMails(tx, closed)
}

/** Closes every open code of an e-mail and purpose, and takes back the mails that have not left. */
export async function closeCodes(tx: Tx, purpose: Purpose, emailKey: string): Promise<void> {
  const closed = await tx
    .updateTable('codes')
    .set({ closed_at: sql`now()` })
    .where('email_key', '=', emailKey)
    .where('purpose', '=', purpose)
    .where('closed_at', 'is', null)
    .returning('mail_job')
    .execute()
  await cancelMails(tx, closed)
}

/** Forgets the codes of registrations whose mail has not left: others may have their time. */
export async function dropWaitingCodes(tx: Tx, registrationIds: readonly string[]): Promise<void> {
  const dropped = await tx
    .deleteFrom('codes')
    .where('registration_id', 'in', registrationIds)
    .where('starts_at', '>', sql<Date>`now()`)
    .returning('mail_job')
    .execute()
  await cancelMails(tx, dropped)
}

const cancelMails = (tx: Tx, codes: { mail_job: string | null }[]) =>
  cancel(
    tx,
    codes.flatMap((code) => code.mail_job ?? []),
  )
