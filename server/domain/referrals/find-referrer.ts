import type { Database, Tx } from '#server/platform/database/database.ts'

/** The owner of a referral code (case-insensitive); undefined if unknown or suspended. */
export function findReferrer(
  db: Database | Tx,
  code: string,
): Promise<{ id: string; username: string } | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('referral_code', '=', code.toUpperCase())
    .where('banned_at', 'is', null)
    .executeTakeFirst()
}
