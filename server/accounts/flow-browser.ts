import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Keys } from '../platform/secrets.ts'
import type { BrowserCookie } from '../platform/http/browser-cookie.ts'
import { readEmail } from './rules.ts'

/**
 * Gives the browser that asks for a code of an e-mail something to be known by. It proves nothing but
 * that: neither who sits there nor that the e-mail has an account.
 */
export function setFlowCookie(
  keys: Keys,
  typedEmail: string,
  keepsake: BrowserCookie,
  browser = browserFor(keys, typedEmail, keepsake),
): void {
  const { key } = readEmail(typedEmail)
  keepsake.set(`${browser}.${sealOf(keys, key, browser)}`)
}

/**
 * The browser that asked for a code of this e-mail before, else a new name for it, which begins with a keyed hash of
 * its network: a program that keeps no cookies is known again by that.
 */
export function browserFor(keys: Keys, typedEmail: string, { value }: BrowserCookie, network = ''): string {
  const { key } = readEmail(typedEmail)
  const known = flowBrowserOf(keys, key, value)
  return (
    known ?? `${networkTag(keys, network)}${randomBytes(12).toString('base64url').slice(0, RANDOM_LENGTH)}`
  )
}

const TAG_LENGTH = 8
/** Of six bits each. */
const RANDOM_LENGTH = 14

const networkTag = (keys: Keys, network: string) =>
  keys.hmac('asking-network', network).toString('base64url').slice(0, TAG_LENGTH)

/** Whether both names were given to callers without a cookie from the same network. */
export function isSameNetwork(one: string, other: string): boolean {
  return one.slice(0, TAG_LENGTH) === other.slice(0, TAG_LENGTH)
}

/** The browser, if it asked for a code of this e-mail; undefined for a strange or an invented keepsake. */
export function flowBrowserOf(keys: Keys, emailKey: string, held: string | undefined): string | undefined {
  const [browser = '', seal = ''] = (held ?? '').split('.')
  const expected = Buffer.from(sealOf(keys, emailKey, browser))
  const given = Buffer.from(seal)
  return given.length === expected.length && timingSafeEqual(given, expected) ? browser : undefined
}

const sealOf = (keys: Keys, emailKey: string, browser: string) =>
  keys.hmac('asking-browser', emailKey, browser).toString('base64url')
