/** A handle at X, without `@`. */
export const X_HANDLE = /^[A-Za-z0-9_]{1,15}$/

/** A post; `link` is canonical. */
export type Post = { handle: string; id: string; link: string }

export const postLink = (handle: string, id: string) => `https://x.com/${handle}/status/${id}`

/**
 * Not a URL parser, which would also accept what no one copies from X: Unicode dots, escapes, an empty user
 * name, a default port, tabs.
 */
const LINK =
  /^https:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/([a-z0-9_]{1,15})(?:\/status\/([0-9]{1,20}))?\/?(?:[?#][^\s\\]*)?$/i

/** The post that a link opens, its id without leading zeros; undefined for any other text. */
export function readPostLink(text: string): Post | undefined {
  const [, handle, digits] = LINK.exec(text) ?? []
  if (!handle || !digits) return undefined
  const id = digits.replace(/^0+(?=.)/, '')
  return { handle, id, link: postLink(handle, id) }
}

/** The handle in a link to a profile; undefined for any other text. */
export function readProfileLink(text: string): string | undefined {
  const [, handle, digits] = LINK.exec(text) ?? []
  return digits ? undefined : handle
}

/** Where the time in X's snowflake ids starts, in milliseconds since 1970. */
const SNOWFLAKE_EPOCH_MS = 1_288_834_974_657n
/** How many of an id's lowest bits say nothing about its time. */
const BITS_BELOW_TIME = 22n

export const postTime = (id: string): Date =>
  new Date(Number((BigInt(id) >> BITS_BELOW_TIME) + SNOWFLAKE_EPOCH_MS))

/** An id for a post at `timeMs` since 1970. `sequence` distinguishes ids of the same millisecond. */
export const postIdAt = (timeMs: number, sequence: number): string => {
  const timeBits = (BigInt(timeMs) - SNOWFLAKE_EPOCH_MS) << BITS_BELOW_TIME
  return String(timeBits + BigInt(sequence % 2 ** Number(BITS_BELOW_TIME)))
}
