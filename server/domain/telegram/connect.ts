import type { TelegramAccount } from '#contract/accounts/telegram.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, inTransaction, type Tx, violatedUnique } from '#server/platform/database/database.ts'
import { fromNow, NOW } from '#server/platform/database/times.ts'
import { refuse, type Refusal } from '#server/platform/refusal.ts'
import { hashToken, type Keys, newToken } from '#server/platform/secrets.ts'
import { record } from '../journal/record.ts'
import { changeTelegramAccount, readTelegramAccount, refuseIfApproved } from './account.ts'
import type { Unclear } from './discovery.ts'
import type { Attempt, Identity, TelegramLogin } from './provider.ts'

const ATTEMPT_LIFETIME = '10 minutes'
/** After Telegram could not be asked. */
const RETRY_AFTER_SECONDS = 30

/**
 * @returns Telegram's authorization URL.
 * @throws refusals `telegram_not_offered`, `telegram_fixed`, `telegram_unreachable`.
 */
export async function beginTelegramConnection(
  deps: Deps,
  login: TelegramLogin | undefined,
  userId: string,
): Promise<{ url: string }> {
  if (!login) throw refuse('telegram_not_offered')
  await refuseIfApproved(deps.db, deps, userId)
  const attempt = attemptOf(deps.keys, newToken())
  const authorization = await login.buildAuthorizationUrl(attempt)
  if ('unclear' in authorization) throw refuseUnreachable(deps, authorization)
  await deps.db
    .insertInto('telegram_attempts')
    .values({ state_hash: hashToken(attempt.state), user_id: userId, expires_at: fromNow(ATTEMPT_LIFETIME) })
    .execute()
  return { url: authorization.url }
}

/** Nonce and verifier derive from the state. The database has only the state's hash, which reveals neither. */
function attemptOf(keys: Keys, state: string): Attempt {
  const derive = (name: string) => keys.hmac('telegram', name, state).toString('base64url')
  return { state, nonce: derive('nonce'), verifier: derive('verifier') }
}

function refuseUnreachable({ log }: Deps, { unclear }: Unclear): Refusal {
  log.warn({ why: unclear }, 'the Telegram login cannot be reached')
  return refuse('telegram_unreachable', { retryAfter: RETRY_AFTER_SECONDS })
}

type Callback = { userId: string; network: string; code: string; state: string }

/**
 * Connects the account that Telegram's callback identifies. The state is valid once, for the participant who
 * began the attempt. It is consumed before Telegram is asked, so that a code is never sent twice.
 * @throws refusals `telegram_not_offered`, `telegram_expired`, `telegram_unreachable`, `telegram_refused`,
 * `telegram_fixed`, `telegram_taken`, and `unauthenticated` if the participant's account has been deleted.
 */
export async function finishTelegramConnection(
  deps: Deps,
  login: TelegramLogin | undefined,
  { userId, network, code, state }: Callback,
): Promise<TelegramAccount> {
  if (!login) throw refuse('telegram_not_offered')
  const attempt = await consumeAttempt(deps, userId, state)
  if (!attempt) throw refuse('telegram_expired')
  const result = await login.identify(code, attempt)
  if ('unclear' in result) throw refuseUnreachable(deps, result)
  if ('refused' in result) {
    deps.log.warn({ why: result.refused }, 'Telegram did not confirm an identity')
    throw refuse('telegram_refused')
  }
  const account = await saveTelegramAccount(deps, { userId, network, identity: result.identity })
  deps.runSoon('claims')
  return account
}

/**
 * Of several parallel calls, only the first gets the attempt.
 * @returns undefined if the state is unknown, used, expired or another participant's.
 */
async function consumeAttempt(
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

type Connection = { userId: string; network: string; identity: Identity }

async function saveTelegramAccount(deps: Deps, connection: Connection): Promise<TelegramAccount> {
  try {
    return await inTransaction(deps.db, async (tx) => {
      await changeTelegramAccount(tx, deps, connection.userId, () => upsertTelegramAccount(tx, connection))
      const account = await readTelegramAccount(tx, connection.userId)
      if (!account) throw new Error('The connected account could not be read.')
      return account
    })
  } catch (error) {
    if (violatedUnique(error) === 'telegram_accounts_one_participant') throw refuse('telegram_taken')
    throw error
  }
}

/** @returns whether the account or its username has changed. */
async function upsertTelegramAccount(tx: Tx, { userId, network, identity }: Connection): Promise<boolean> {
  const { telegramId, username } = identity
  const changed = await tx
    .insertInto('telegram_accounts')
    .values({ user_id: userId, telegram_id: telegramId, username })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ telegram_id: telegramId, username, since: (eb) => eb.fn('now') })
        .where(({ or, eb }) =>
          or([
            eb('telegram_accounts.telegram_id', 'is distinct from', telegramId),
            eb('telegram_accounts.username', 'is distinct from', username),
          ]),
        ),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!changed) return false
  const details = { telegramId, username }
  await record(tx, { actor: userId, action: 'telegram.connected', subject: userId, network, details })
  return true
}

export async function purgeAttempts(db: Database): Promise<void> {
  await db.deleteFrom('telegram_attempts').where('expires_at', '<', NOW).execute()
}
