import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database.ts'
import { hashToken, type Keys, newToken } from '../platform/secrets.ts'
import type { Attempt } from './provider.ts'

const LIFETIME = '10 minutes'

/** A connection that has not been begun yet. */
export const newAttempt = (keys: Keys): Attempt => attemptOf(keys, newToken())

/** What goes with a state. Derived, so that the database holds nothing that would help to finish it. */
function attemptOf(keys: Keys, state: string): Attempt {
  const secret = (what: string) => keys.hmac('telegram', what, state).toString('base64url')
  return { state, nonce: secret('nonce'), verifier: secret('verifier') }
}

export async function saveAttempt({ db }: Deps, userId: string, { state }: Attempt): Promise<void> {
  await db
    .insertInto('telegram_attempts')
    .values({
      state_hash: hashToken(state),
      user_id: userId,
      expires_at: sql<Date>`now() + ${sql.lit(LIFETIME)}::interval`,
    })
    .execute()
}

/**
 * Takes what this very participant began with that state: the first who asks gets it, once.
 * @returns undefined for a state that is unknown, spent, too old or somebody else's.
 */
export async function consumeAttempt(
  { db, keys }: Deps,
  userId: string,
  state: string,
): Promise<Attempt | undefined> {
  const taken = await db
    .deleteFrom('telegram_attempts')
    .where('state_hash', '=', hashToken(state))
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('user_id')
    .executeTakeFirst()
  return taken && attemptOf(keys, state)
}

/** Deletes what was begun and never finished. */
export async function purgeAttempts(db: Database): Promise<void> {
  await db
    .deleteFrom('telegram_attempts')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
}
