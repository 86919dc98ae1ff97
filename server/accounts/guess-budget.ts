import { sql } from 'kysely'
import { sendLater } from '../mail/send-later.ts'
import type { Tx } from '../platform/database.ts'
import { type RateLimit, retryAfter, consumeAll } from '../platform/rate-limiter.ts'
import type { CodeVerifier } from './verify-code.ts'

const DAY = 86_400
/** Over all codes and networks; who has used it up waits a whole day from then. */
const WRONG_GUESSES: RateLimit = { take: 20, seconds: DAY, lock: { maxSeconds: DAY } }
const TOLD_OWNER: RateLimit = { take: 1, seconds: DAY }

/**
 * Each browser that asked for a code, or logged in before, has a budget of its own, and all others share one: a stranger who
 * guesses cannot use up what the owner needs.
 */
const budgetOf = ({ purpose, emailKey, browser, device }: CodeVerifier) => ({
  key: `wrong codes ${purpose} ${browser ?? device ?? 'without a browser'} ${emailKey}`,
  budget: WRONG_GUESSES,
})

/** @returns 0 when this guesser may still guess. */
export function secondsUntilNextGuess(tx: Tx, guesser: CodeVerifier): Promise<number> {
  return retryAfter(tx, budgetOf(guesser))
}

/** Counts a wrong guess; whom the code was for hears of it once a day when a budget is used up. */
export async function recordWrongGuess(tx: Tx, guesser: CodeVerifier): Promise<void> {
  await consumeAll(tx, budgetOf(guesser))
  if ((await secondsUntilNextGuess(tx, guesser)) > 0) await tellOwner(tx, guesser)
}

async function tellOwner(tx: Tx, { purpose, emailKey }: CodeVerifier): Promise<void> {
  const owner = await findOwner(tx, purpose, emailKey)
  const told = { key: `told of wrong codes ${purpose} ${emailKey}`, budget: TOLD_OWNER }
  if (!owner || (await retryAfter(tx, told)) > 0) return
  await consumeAll(tx, told)
  await sendLater(tx, { template: 'wrong-codes', to: owner.email, values: { username: owner.username } })
}

/** Nobody for decoys: the owner of the account asked for no code, and what was registered is not theirs. */
function findOwner(tx: Tx, purpose: CodeVerifier['purpose'], emailKey: string) {
  const hasAccount = sql<boolean>`exists (select from users where email_key = ${emailKey})`
  return tx
    .selectFrom(purpose === 'reset-password' ? 'users' : 'registrations')
    .select(['email', 'username'])
    .where('email_key', '=', emailKey)
    .where(purpose === 'reset-password' ? hasAccount : sql<boolean>`not ${hasAccount}`)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}
