import type { Database } from '#server/platform/database/database.ts'
import { ago, NOW } from '#server/platform/database/times.ts'

export async function purgeExpired(db: Database): Promise<void> {
  await db.deleteFrom('registrations').where('expires_at', '<', NOW).execute()
  await db.deleteFrom('usernames').where('user_id', 'is', null).where('held_until', '<', NOW).execute()
  await db.deleteFrom('held_emails').where('until', '<', NOW).execute()
  await db.deleteFrom('reset_tokens').where('expires_at', '<', NOW).execute()
  // A cooldown counts the codes of the last day, even expired ones.
  await db.deleteFrom('codes').where('expires_at', '<', ago('2 days')).execute()
}
