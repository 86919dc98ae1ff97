import type { TelegramAccount } from '#contract/telegram.ts'
import type { Deps } from '../deps.ts'
import { record } from '../journal/record.ts'
import { inTransaction, type Tx, violatedUnique } from '../platform/database.ts'
import { refuse } from '../platform/refusal.ts'
import { consumeAttempt } from './attempts.ts'
import { COME_AGAIN } from './begin-connection.ts'
import { changeAccount } from './change-account.ts'
import type { TelegramLogin } from './provider.ts'
import type { Identity } from './id-token.ts'
import { readAccount } from './read-account.ts'

type Return = { userId: string; network: string; code: string; state: string }

/**
 * Connects the account that a participant came back with from Telegram. The state counts once, for whoever began
 * with it; what was begun is spent before Telegram is asked, so that nothing is asked twice.
 */
export async function finishConnection(
  deps: Deps,
  login: TelegramLogin | undefined,
  { userId, network, code, state }: Return,
): Promise<TelegramAccount> {
  if (!login) throw refuse('telegram_not_offered')
  const attempt = await consumeAttempt(deps, userId, state)
  if (!attempt) throw refuse('telegram_expired')
  const told = await login.identify(code, attempt)
  if ('unclear' in told) {
    deps.log.warn({ why: told.unclear }, 'the Telegram login cannot be reached')
    throw refuse('telegram_unreachable', { retryAfter: COME_AGAIN })
  }
  if ('refused' in told) {
    deps.log.warn({ why: told.refused }, 'the Telegram login did not confirm anybody')
    throw refuse('telegram_refused')
  }
  const account = await keep(deps, { userId, network, identity: told.identity })
  deps.wake('claims')
  return account
}

type Known = { userId: string; network: string; identity: Identity }

async function keep(deps: Deps, known: Known): Promise<TelegramAccount> {
  try {
    return await inTransaction(deps.db, async (tx) => {
      await changeAccount(tx, deps, known.userId, () => connect(tx, known))
      const account = await readAccount(tx, known.userId)
      if (!account) throw new Error('What is connected can be read.')
      return account
    })
  } catch (error) {
    if (violatedUnique(error) === 'telegram_accounts_one_participant') throw refuse('telegram_taken')
    throw error
  }
}

/** @returns whether anything changed. */
async function connect(tx: Tx, { userId, network, identity }: Known): Promise<boolean> {
  const { telegramId, username } = identity
  const changed = await tx
    .insertInto('telegram_accounts')
    .values({ user_id: userId, telegram_id: telegramId, username })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ telegram_id: telegramId, username, since: (eb) => eb.fn('now') })
        .where((eb) =>
          eb.or([
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
