import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { hashToken, type Keys } from '#server/platform/secrets.ts'

export async function readConsent(db: Database, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('announcements_at')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user !== undefined && user.announcements_at !== null
}

/** Opting out also skips the participant's queued emails. Does nothing for an unknown or deleted account. */
export async function setConsent(db: Database, userId: string, wanted: boolean): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx
      .updateTable('users')
      .set({ announcements_at: wanted ? sql<Date>`coalesce(announcements_at, now())` : null })
      .where('id', '=', userId)
      .where('deleted_at', 'is', null)
      .execute()
    if (!wanted) await skipQueued(tx, userId)
  })
}

/** Spares an email that is being sent right now. Uses the index `announcement_recipients_by_user`. */
async function skipQueued(tx: Tx, userId: string): Promise<void> {
  await sql`
    with withdrawn as (
      delete from jobs j using announcement_recipients r
      where r.user_id = ${userId} and r.outcome is null and j.id = r.job
        and j.done_at is null and j.dead_at is null and (j.leased_until is null or j.leased_until < now())
      returning j.id)
    update announcement_recipients r set outcome = 'skipped'
    from withdrawn w where r.user_id = ${userId} and r.job = w.id`.execute(tx)
}

export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** The address never expires and needs no login. */
export function unsubscribeUrl(
  { keys, publicUrl }: { keys: Keys; publicUrl: string },
  userId: string,
): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}?token=${userId}.${sealOf(keys, userId)}`
}

/** @returns the account's id; undefined if the token is forged. */
export function readUnsubscribeToken(keys: Keys, token: string): string | undefined {
  const [userId = '', seal = ''] = token.split('.')
  // Compares hashes, because `timingSafeEqual` demands equal lengths.
  const isGenuine = timingSafeEqual(hashToken(seal), hashToken(sealOf(keys, userId)))
  return isGenuine ? userId : undefined
}

const sealOf = (keys: Keys, userId: string) => keys.hmac('unsubscribe', userId).toString('base64url')
