import type { OwnSession } from '#contract/accounts/own-sessions.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { isAlive } from './session.ts'

/** Where the caller's account is logged in, most recently used first. */
export async function listSessions(db: Database, { userId, tokenHash }: Caller): Promise<OwnSession[]> {
  const rows = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.device', 's.network', 's.created_at', 's.last_seen_at', 's.token_hash'])
    .where('s.user_id', '=', userId)
    .where(isAlive)
    .orderBy('s.last_seen_at', 'desc')
    .orderBy('s.id')
    .execute()
  return rows.map(({ created_at, last_seen_at, token_hash, ...session }) => ({
    ...session,
    startedAt: created_at.toISOString(),
    lastUsedAt: last_seen_at.toISOString(),
    isCurrent: token_hash.equals(tokenHash),
  }))
}

/** Ends one of the caller's sessions; one that has ended already is left alone. */
export async function endOneSession(db: Database, { userId }: Caller, id: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).execute()
}
