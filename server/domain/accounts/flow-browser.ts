import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashToken, type Keys } from '#server/platform/secrets.ts'
import type { BrowserCookie } from '#server/platform/http/security/browser-cookie.ts'
import { readEmail } from './validate-fields.ts'

/**
 * Sets the cookie that identifies a browser from its request of a code for an email to the end of the flow.
 * The cookie proves neither who uses the browser nor that the email has an account.
 */
export function setFlowCookie(
  keys: Keys,
  typedEmail: string,
  cookie: BrowserCookie,
  browser = browserFor(keys, typedEmail, cookie),
): void {
  const { key: emailKey } = readEmail(typedEmail)
  cookie.set(`${browser}.${sealOf(keys, emailKey, browser)}`)
}

/**
 * The browser's ID in its flow cookie for this email, or else a new ID.
 * @param network only for registrations. A new ID begins with a keyed hash of the network, from which
 * {@link isSameNetwork} recognizes a client that registers again without cookies.
 */
export function browserFor(keys: Keys, typedEmail: string, { value }: BrowserCookie, network = ''): string {
  const { key: emailKey } = readEmail(typedEmail)
  return (
    flowBrowserOf(keys, emailKey, value) ??
    `${networkTag(keys, network)}${randomBytes(12).toString('base64url').slice(0, RANDOM_LENGTH)}`
  )
}

/** Both lengths are in base64url characters, of six bits each. */
const TAG_LENGTH = 8
const RANDOM_LENGTH = 14

const networkTag = (keys: Keys, network: string) =>
  keys.hmac('asking-network', network).toString('base64url').slice(0, TAG_LENGTH)

/** Whether two browser IDs were created by registrations in the same network. */
export function isSameNetwork(a: string, b: string): boolean {
  return a.slice(0, TAG_LENGTH) === b.slice(0, TAG_LENGTH)
}

/** The browser ID in a flow cookie; undefined if the cookie is forged or for another email. */
export function flowBrowserOf(keys: Keys, emailKey: string, cookie: string | undefined): string | undefined {
  const [browser = '', seal = ''] = (cookie ?? '').split('.')
  const isGenuine = timingSafeEqual(hashToken(seal), hashToken(sealOf(keys, emailKey, browser)))
  return isGenuine ? browser : undefined
}

const sealOf = (keys: Keys, emailKey: string, browser: string) =>
  keys.hmac('asking-browser', emailKey, browser).toString('base64url')
