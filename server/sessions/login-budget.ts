import type { Database, Tx } from '../platform/database.ts'
import { perNetwork } from '../platform/http/network.ts'
import { type RateLimit, resetRateLimit, type Counted, refund, consumeAll } from '../platform/rate-limiter.ts'

/** Failed logins: ten in five minutes lock an account for five minutes, doubling up to an hour. */
const FAILED: RateLimit = { take: 10, seconds: 300, lock: { maxSeconds: 3600 } }
const FAILED_OF_NETWORK: RateLimit = { take: 6, seconds: 60 }
const FAILED_OF_NETWORK_AND_HOUR: RateLimit = { take: 30, seconds: 3600 }
/** Right or wrong: each login costs a hashing, and all of them wait for the same processors. */
const ALL_OF_NETWORK: RateLimit = { take: 20, seconds: 60 }
const ALL_OF_ACCOUNT: RateLimit = { take: 60, seconds: 3600 }

/** Who tries to log in. */
export type Comer = {
  emailKey: string
  network: string
  /** The device that logged in to this account before; undefined for a stranger. */
  device: string | undefined
}

/**
 * Strangers share the budgets of a network and an account; the devices that are known to an account have others.
 * So whoever never knew the password takes nothing from its owner, wherever both of them are.
 */
function budgetsOf({ emailKey, network, device }: Comer) {
  if (device !== undefined)
    return {
      failedOfNetwork: [],
      failed: { key: `login device ${device} ${emailKey}`, budget: FAILED },
      all: [
        ...perNetwork(network, 'logins of devices network', ALL_OF_NETWORK),
        { key: `logins of devices account ${emailKey}`, budget: ALL_OF_ACCOUNT },
      ],
    }
  return {
    failedOfNetwork: [
      ...perNetwork(network, 'login network', FAILED_OF_NETWORK),
      ...perNetwork(network, 'login network hour', FAILED_OF_NETWORK_AND_HOUR),
    ],
    failed: { key: failedKey(emailKey), budget: FAILED },
    all: [
      ...perNetwork(network, 'logins network', ALL_OF_NETWORK),
      { key: `logins account ${emailKey}`, budget: ALL_OF_ACCOUNT },
    ],
  }
}

const failedKey = (emailKey: string) => `login account ${emailKey}`

/**
 * Takes a try before the password is compared, so that parallel tries cannot get more than the budget.
 * The same for e-mails that nobody registered.
 */
export async function consumeLoginAttempt(db: Database, comer: Comer): Promise<void> {
  const { failedOfNetwork, failed, all } = budgetsOf(comer)
  await consumeAll(db, ...failedOfNetwork, failed, ...all)
}

/**
 * With the right password nothing has failed: that part of the try is given back and the account's count of
 * failures, or the device's, is cleared. As a login it stays counted.
 */
export async function refundLoginAttempt(db: Database, comer: Comer): Promise<void> {
  const { failedOfNetwork, failed } = budgetsOf(comer)
  await giveAllBack(db, failedOfNetwork)
  await resetRateLimit(db, failed.key)
}

/**
 * With the right password of a registration that waits for its code: nothing has failed, but the account's failures
 * stay counted. Anybody can register an e-mail, and that must not buy more tries at its account.
 */
export async function giveTryBack(db: Database, comer: Comer): Promise<void> {
  const { failedOfNetwork, failed } = budgetsOf(comer)
  await giveAllBack(db, [...failedOfNetwork, failed])
}

/** For a try that was not compared, because the server was too busy. */
export async function undoLoginTry(db: Database, comer: Comer): Promise<void> {
  const { failedOfNetwork, failed, all } = budgetsOf(comer)
  await giveAllBack(db, [...failedOfNetwork, failed, ...all])
}

const giveAllBack = (db: Database, counted: Counted[]) =>
  Promise.all(counted.map(({ key }) => refund(db, key)))

/** After a password reset the owner starts afresh. */
export async function forgetFailedLogins(tx: Tx, emailKey: string): Promise<void> {
  await resetRateLimit(tx, failedKey(emailKey))
}
