import { decodeHTMLStrict } from 'entities/decode'

/**
 * Returns the text of the first paragraph of an oEmbed reply's `html`: the post itself. The author's display
 * name after it may contain hashtags and must not count.
 * Linear in the length of the input; undefined without a paragraph.
 */
export function postTextOf(html: string): string | undefined {
  const open = /<p(?:\s[^<>]*)?>/i.exec(html)
  if (!open) return undefined
  const start = open.index + open[0].length
  const end = html.toLowerCase().indexOf('</p>', start)
  if (end < 0) return undefined
  const inside = html.slice(start, end)
  return decodeHTMLStrict(inside.replace(/<br\s*\/?>/gi, '\n').replace(/<[^<>]*>/g, '')).trim()
}

/** The hashtags of a text in lower case, with `#`. Letters that look alike in other scripts stay different. */
export function hashtagsIn(text: string): Set<string> {
  const matches = text.matchAll(/(?<![\p{L}\p{M}\p{N}_&])[#＃]([\p{L}\p{M}\p{N}_]+)/gu)
  return new Set(Array.from(matches, ([, tag]) => `#${tag?.toLowerCase()}`))
}

/** Whether X truncated a long post. */
export const isTruncated = (text: string) => /(?:…|\.\.\.)(?:\s+https:\/\/t\.co\/\w{1,20})?$/.test(text)
