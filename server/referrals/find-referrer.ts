import type { Database, Tx } from '../platform/database.ts'

/** Who invites with a code, without regard to case; undefined for an unknown code or a suspended account. */
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
