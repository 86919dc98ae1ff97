import { timingSafeEqual } from 'node:crypto'
import { hashToken, type Keys } from '#server/platform/secrets.ts'

export const UNSUBSCRIBE_PATH = '/unsubscribe'

/** The address at which the holder of an account can unsubscribe at any time, without logging in. */
export function unsubscribeUrl(
  { keys, publicUrl }: { keys: Keys; publicUrl: string },
  userId: string,
): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}?token=${userId}.${sealOf(keys, userId)}`
}

/** @returns the id of the account that a token is for; undefined if we did not issue the token. */
export function readUnsubscribeToken(keys: Keys, token: string): string | undefined {
  const [userId = '', seal = ''] = token.split('.')
  // Compares hashes, because `timingSafeEqual` demands equal lengths.
  const isGenuine = timingSafeEqual(hashToken(seal), hashToken(sealOf(keys, userId)))
  return isGenuine ? userId : undefined
}

const sealOf = (keys: Keys, userId: string) => keys.hmac('unsubscribe', userId).toString('base64url')
