import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Keys } from '../platform/secrets.ts'

/** An account as far as its devices are concerned. */
export type Owner = { id: string; password_hash: string }

/** So many accounts one browser is known to; the one that logged in least recently is forgotten. */
const ACCOUNTS_OF_DEVICE = 4
const DEVICE = /^([\w-]{22})((?:\.[\w-]{43}){1,4})$/

/**
 * What a browser is given once it has logged in to an account, to be told from strangers there: a random name of
 * its own and a seal for each account. It has budgets of its own, for wrong passwords and for reset codes, and
 * gives no right. The seal covers the hash of the password, so that a changed password forgets every device.
 * @param held what the browser holds already, valid or not: it keeps its name and its seals of other accounts.
 */
export function deviceFor(keys: Keys, owner: Owner, held: string | undefined): string {
  const { name, seals } = readDevice(held) ?? { name: randomBytes(16).toString('base64url'), seals: [] }
  const own = sealOf(keys, owner, name)
  const others = seals.filter((seal) => seal !== own)
  return [name, own, ...others].slice(0, 1 + ACCOUNTS_OF_DEVICE).join('.')
}

/** The name of a device that logged in to this account since its password was last changed. */
export function knownDevice(
  keys: Keys,
  owner: Owner | undefined,
  held: string | undefined,
): string | undefined {
  const device = readDevice(held)
  if (!owner || !device) return undefined
  const expected = Buffer.from(sealOf(keys, owner, device.name))
  const isKnown = device.seals.some((seal) => timingSafeEqual(Buffer.from(seal), expected))
  return isKnown ? device.name : undefined
}

function readDevice(held: string | undefined) {
  const [, name, seals] = DEVICE.exec(held ?? '') ?? []
  return name === undefined || seals === undefined ? undefined : { name, seals: seals.slice(1).split('.') }
}

const sealOf = (keys: Keys, { id, password_hash }: Owner, name: string) =>
  keys.hmac('device', id, password_hash, name).toString('base64url')
