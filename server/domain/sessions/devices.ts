import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Keys } from '#server/platform/secrets.ts'

export type Account = { id: string; password_hash: string }

/** Beyond these, the cookie drops the account with the least recent login. */
const MAX_ACCOUNTS_PER_DEVICE = 4
/** A device name of 16 bytes and a seal of 32 bytes for each account, in base64url. */
const DEVICE_COOKIE = new RegExp(`^([\\w-]{22})((?:\\.[\\w-]{43}){1,${MAX_ACCOUNTS_PER_DEVICE}})$`)

/**
 * The device cookie after a login: a random device name and a seal per account. It grants no access. It gives
 * the device separate rate limits for wrong passwords and reset codes. A seal covers the password hash, so
 * that a new password voids it.
 * @param cookie the current cookie, unverified. Its device name and other accounts' seals are kept.
 */
export function deviceFor(keys: Keys, account: Account, cookie: string | undefined): string {
  const { name, seals } = readDevice(cookie) ?? { name: randomBytes(16).toString('base64url'), seals: [] }
  const ownSeal = sealOf(keys, account, name)
  const otherSeals = seals.filter((seal) => seal !== ownSeal).slice(0, MAX_ACCOUNTS_PER_DEVICE - 1)
  return [name, ownSeal, ...otherSeals].join('.')
}

/** @returns the device's name if it has logged in to the account with the current password. */
export function knownDevice(
  keys: Keys,
  account: Account | undefined,
  cookie: string | undefined,
): string | undefined {
  const device = readDevice(cookie)
  if (!account || !device) return undefined
  const expected = Buffer.from(sealOf(keys, account, device.name))
  const isKnown = device.seals.some((seal) => timingSafeEqual(Buffer.from(seal), expected))
  return isKnown ? device.name : undefined
}

function readDevice(cookie: string | undefined) {
  const [, name, seals] = DEVICE_COOKIE.exec(cookie ?? '') ?? []
  return name === undefined || seals === undefined ? undefined : { name, seals: seals.slice(1).split('.') }
}

const sealOf = (keys: Keys, { id, password_hash }: Account, name: string) =>
  keys.hmac('device', id, password_hash, name).toString('base64url')
