import type { Database, Tx } from '#server/platform/database/database.ts'
import { limitsPerNetwork } from '#server/platform/limits/network.ts'
import {
  type RateLimit,
  resetRateLimit,
  type CountedLimit,
  refund,
  consumeInOrder,
} from '#server/platform/limits/rate-limiter.ts'
import { refuse } from '#server/platform/refusal.ts'

/** Ten wrong passwords in five minutes lock for five minutes. Each further lock doubles, up to an hour. */
const FAILED: RateLimit = { take: 10, seconds: 300, lock: { maxSeconds: 3600 } }
const FAILED_PER_NETWORK: RateLimit = { take: 6, seconds: 60 }
const FAILED_PER_NETWORK_HOURLY: RateLimit = { take: 30, seconds: 3600 }
/** The limits of all logins, also successful ones: each costs a hashing on shared processors. */
const ALL_PER_NETWORK: RateLimit = { take: 20, seconds: 60 }
const ALL_PER_ACCOUNT: RateLimit = { take: 60, seconds: 3600 }

export type LoginClient = {
  emailKey: string
  network: string
  /** The name in the device cookie, if that device has logged in to the account before. */
  device: string | undefined
}

/**
 * Each known device has its own rate limits, so that strangers cannot lock out an account's owner, even from
 * the same network.
 */
function limitsOf({ emailKey, network, device }: LoginClient) {
  if (device !== undefined)
    return {
      failedOfNetwork: [],
      failed: { key: `login device ${device} ${emailKey}`, limit: FAILED },
      all: [
        ...limitsPerNetwork(network, 'logins of devices network', ALL_PER_NETWORK),
        { key: `logins of devices account ${emailKey}`, limit: ALL_PER_ACCOUNT },
      ],
    }
  return {
    failedOfNetwork: [
      ...limitsPerNetwork(network, 'login network', FAILED_PER_NETWORK),
      ...limitsPerNetwork(network, 'login network hour', FAILED_PER_NETWORK_HOURLY),
    ],
    failed: { key: failedKey(emailKey), limit: FAILED },
    all: [
      ...limitsPerNetwork(network, 'logins network', ALL_PER_NETWORK),
      { key: `logins account ${emailKey}`, limit: ALL_PER_ACCOUNT },
    ],
  }
}

const failedKey = (emailKey: string) => `login account ${emailKey}`

/**
 * Counts an attempt as failed before the password is compared, so that parallel attempts cannot exceed the
 * limit. Counts attempts at unknown emails, too.
 * @throws refusal `rate_limited` with the seconds to wait.
 */
export async function consumeLoginAttempt(db: Database, client: LoginClient): Promise<void> {
  const { failedOfNetwork, failed, all } = limitsOf(client)
  const failures = [...failedOfNetwork, failed]
  const exceeded = await consumeInOrder(db, [...failures, ...all])
  if (!exceeded) return
  // If only a limit of `all` is exceeded, the password is not compared, so the attempt is no failure.
  if (exceeded.index >= failures.length) await refund(db, keysOf(failures))
  throw refuse('rate_limited', { retryAfter: exceeded.waitSeconds })
}

/**
 * After a correct password: refunds the attempt and forgets the account's or device's earlier failures. The
 * login still counts toward the limits of all logins.
 */
export async function clearFailures(db: Database, client: LoginClient): Promise<void> {
  const { failedOfNetwork, failed } = limitsOf(client)
  await refund(db, keysOf(failedOfNetwork), { reset: failed.key })
}

/**
 * After a registration's correct password: refunds the attempt but keeps earlier failures. Anyone can
 * register an email, which must not buy more attempts at its account.
 */
export async function refundFailure(db: Database, client: LoginClient): Promise<void> {
  const { failedOfNetwork, failed } = limitsOf(client)
  await refund(db, keysOf([...failedOfNetwork, failed]))
}

/** Refunds an attempt whose password was not compared because the server was too busy. */
export async function cancelLoginAttempt(db: Database, client: LoginClient): Promise<void> {
  const { failedOfNetwork, failed, all } = limitsOf(client)
  await refund(db, keysOf([...failedOfNetwork, failed, ...all]))
}

const keysOf = (counted: readonly CountedLimit[]) => counted.map(({ key }) => key)

/** Forgets the failed logins of strangers after a password reset. */
export const resetFailedLogins = (tx: Tx, emailKey: string): Promise<void> =>
  resetRateLimit(tx, failedKey(emailKey))
