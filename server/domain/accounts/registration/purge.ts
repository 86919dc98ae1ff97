import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** Deletes what has expired: registrations, reset tokens, holds on usernames and emails, and codes. */
export async function purgeExpired(db: Database): Promise<void> {
  const now = sql<Date>`now()`
  await db.deleteFrom('registrations').where('expires_at', '<', now).execute()
  await db.deleteFrom('usernames').where('user_id', 'is', null).where('held_until', '<', now).execute()
  await db.deleteFrom('held_emails').where('until', '<', now).execute()
  await db.deleteFrom('reset_tokens').where('expires_at', '<', now).execute()
  // Cooldowns count the codes of a day, even expired ones.
  await db
    .deleteFrom('codes')
    .where('expires_at', '<', sql<Date>`now() - interval '2 days'`)
    .execute()
}
