import { timingSafeEqual } from 'node:crypto'
import type { Keys } from '#server/platform/secrets.ts'

export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** The address at which the holder of an account can unsubscribe at any time, without logging in. */
export function unsubscribeUrl(
  { keys, publicUrl }: { keys: Keys; publicUrl: string },
  userId: string,
): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}?token=${userId}.${sealOf(keys, userId)}`
}

/** @returns the account that a token is for; undefined if we did not issue it. */
export function readUnsubscribeToken(keys: Keys, token: string): string | undefined {
  const [userId = '', seal = ''] = token.split('.')
  const expected = Buffer.from(sealOf(keys, userId))
  const given = Buffer.from(seal)
  return given.length === expected.length && timingSafeEqual(given, expected) ? userId : undefined
}

const sealOf = (keys: Keys, userId: string) => keys.hmac('unsubscribe', userId).toString('base64url')
