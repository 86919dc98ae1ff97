import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { fromNow, NOW } from '#server/platform/database/times.ts'
import { hashToken, type Keys, newToken } from '#server/platform/secrets.ts'
import type { Attempt } from './provider.ts'

const LIFETIME = '10 minutes'

/** A new attempt, which is not saved. */
export const newAttempt = (keys: Keys): Attempt => attemptOf(keys, newToken())

/** Derives nonce and verifier from the state. The database has a hash of it, which completes no attempt. */
function attemptOf(keys: Keys, state: string): Attempt {
  const derive = (name: string) => keys.hmac('telegram', name, state).toString('base64url')
  return { state, nonce: derive('nonce'), verifier: derive('verifier') }
}

export async function saveAttempt({ db }: Deps, userId: string, { state }: Attempt): Promise<void> {
  await db
    .insertInto('telegram_attempts')
    .values({ state_hash: hashToken(state), user_id: userId, expires_at: fromNow(LIFETIME) })
    .execute()
}

/**
 * Consumes the participant's attempt with that state; only the first of several parallel calls gets it.
 * @returns undefined for a state that is unknown, used, expired or another participant's.
 */
export async function consumeAttempt(
  { db, keys }: Deps,
  userId: string,
  state: string,
): Promise<Attempt | undefined> {
  const consumed = await db
    .deleteFrom('telegram_attempts')
    .where('state_hash', '=', hashToken(state))
    .where('user_id', '=', userId)
    .where('expires_at', '>', NOW)
    .returning('user_id')
    .executeTakeFirst()
  return consumed && attemptOf(keys, state)
}

export async function purgeAttempts(db: Database): Promise<void> {
  await db.deleteFrom('telegram_attempts').where('expires_at', '<', NOW).execute()
}
