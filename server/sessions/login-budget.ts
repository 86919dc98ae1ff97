import type { Database, Tx } from '../platform/database.ts'
import { type Budget, clearBudget, giveBack, takeFrom } from '../platform/limiter.ts'

/** Failed logins: ten in five minutes lock an account for five minutes, doubling up to an hour. */
const PER_ACCOUNT: Budget = { take: 10, seconds: 300, lock: { maxSeconds: 3600 } }
const PER_NETWORK: Budget = { take: 6, seconds: 60 }
const PER_NETWORK_AND_HOUR: Budget = { take: 30, seconds: 3600 }

const accountKey = (emailKey: string) => `login account ${emailKey}`
const networkKeys = (network: string) =>
  [`login network ${network}`, `login network hour ${network}`] as const

/**
 * Takes a try before the password is compared, so that parallel tries cannot get more than the budget.
 * The same for e-mails that nobody registered.
 */
export async function takeLoginTry(db: Database, emailKey: string, network: string): Promise<void> {
  const [minute, hour] = networkKeys(network)
  await takeFrom(
    db,
    { key: minute, budget: PER_NETWORK },
    { key: hour, budget: PER_NETWORK_AND_HOUR },
    { key: accountKey(emailKey), budget: PER_ACCOUNT },
  )
}

/** Only failures count: with the right password the try is given back and the account's count cleared. */
export async function returnLoginTry(db: Database, emailKey: string, network: string): Promise<void> {
  await Promise.all(networkKeys(network).map((key) => giveBack(db, key)))
  await clearBudget(db, accountKey(emailKey))
}

/** For a try that was not compared, because the server was too busy. */
export async function undoLoginTry(db: Database, emailKey: string, network: string): Promise<void> {
  await Promise.all([...networkKeys(network), accountKey(emailKey)].map((key) => giveBack(db, key)))
}

/** After a password reset the owner starts afresh. */
export async function forgetFailedLogins(tx: Tx, emailKey: string): Promise<void> {
  await clearBudget(tx, accountKey(emailKey))
}
