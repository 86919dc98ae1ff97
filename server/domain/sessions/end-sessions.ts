import type { Database, Tx } from '#server/platform/database/database.ts'

/** Ends one session. Takes effect on every node with the next request. */
export async function endSession(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Ends all sessions of a user, except the one with token hash `but`. */
export async function endSessions(
  db: Database | Tx,
  userId: string,
  { but }: { but?: Buffer } = {},
): Promise<void> {
  const all = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (but ? all.where('token_hash', '!=', but) : all).execute()
}
