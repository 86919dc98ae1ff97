import type { IncomingHttpHeaders } from 'node:http'
import fresh from 'fresh'
import Negotiator from 'negotiator'

/**
 * Whether the client's copy is current, so that 304 is enough. Compares weakly, because proxies that compress
 * weaken ETags; never for a reload (`Cache-Control: no-cache`).
 */
export const isFresh = (headers: IncomingHttpHeaders, etag: string): boolean => fresh(headers, { etag })

/** The encoding with the client's highest quality; ties go to the first in `offered`. */
export const chooseEncoding = <Encoding extends string>(
  headers: IncomingHttpHeaders,
  offered: readonly Encoding[],
): Encoding | 'identity' =>
  new Negotiator({ headers }).encoding(offered, { preferred: offered }) ?? 'identity'

/**
 * The offered language that the client likes best, whatever its region; undefined if it asks for none of them.
 * @param offered BCP 47 tags, each of another language.
 */
export function chooseLanguage<Tag extends string>(
  headers: IncomingHttpHeaders,
  offered: readonly Tag[],
): Tag | undefined {
  if (headers['accept-language'] === undefined) return undefined
  const asked = new Negotiator({ headers }).language(offered.map(languageOf))
  return offered.find((tag) => languageOf(tag) === asked)
}

const languageOf = (tag: string) => tag.replace(/-.*/, '')
