import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Keys } from '#server/platform/secrets.ts'

export type Account = { id: string; password_hash: string }

/** Accounts that one device cookie may know; the least recently used is dropped. */
const MAX_ACCOUNTS_PER_DEVICE = 4
/** The name of the device, 16 bytes in base64url, and the seals of its accounts, 32 bytes each. */
const DEVICE_COOKIE = new RegExp(`^([\\w-]{22})((?:\\.[\\w-]{43}){1,${MAX_ACCOUNTS_PER_DEVICE}})$`)

/**
 * The device cookie after a login: a random device name and a seal per account. It grants no access, but rate
 * limits of its own for wrong passwords and reset codes. A seal covers the password hash, so that a new
 * password voids it.
 * @param cookie the current one, unverified; its device name and its seals for other accounts are kept.
 */
export function deviceFor(keys: Keys, account: Account, cookie: string | undefined): string {
  const { name, seals } = readDevice(cookie) ?? { name: randomBytes(16).toString('base64url'), seals: [] }
  const ownSeal = sealOf(keys, account, name)
  const otherSeals = seals.filter((seal) => seal !== ownSeal).slice(0, MAX_ACCOUNTS_PER_DEVICE - 1)
  return [name, ownSeal, ...otherSeals].join('.')
}

/** The name of the device if it has logged in to the account with its current password, else undefined. */
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
