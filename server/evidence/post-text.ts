/**
 * The participant's own words in an oEmbed reply's `html`: the text of its first paragraph. What follows it
 * is the author's display name and the date, and anybody can put a hashtag into their name.
 * Read as text alone, in one pass; undefined where there is no paragraph.
 */
export function postTextOf(html: string): string | undefined {
  const open = /<p(?:\s[^<>]*)?>/i.exec(html)
  if (!open) return undefined
  const start = open.index + open[0].length
  const end = html.toLowerCase().indexOf('</p>', start)
  if (end < 0) return undefined
  const inside = html.slice(start, end)
  return decode(inside.replace(/<br\s*\/?>/gi, '\n').replace(/<[^<>]*>/g, '')).trim()
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Once and not again: `&amp;lt;` is what somebody typed as `&lt;`. */
function decode(text: string): string {
  return text.replace(/&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (all, decimal, hex, name) => {
    if (name) return NAMED[(name as string).toLowerCase()] ?? all
    const point = decimal ? Number(decimal) : Number.parseInt(hex as string, 16)
    return isCharacter(point) ? String.fromCodePoint(point) : '\uFFFD'
  })
}

const isCharacter = (point: number) =>
  point > 0 && point <= 0x10_ff_ff && (point < 0xd8_00 || point > 0xdf_ff)

/** The hashtags in a text, in lower case with `#`. Letters of other scripts stay what they are. */
export function hashtagsIn(text: string): Set<string> {
  const found = text.matchAll(/(?<![\p{L}\p{M}\p{N}_&])[#＃]([\p{L}\p{M}\p{N}_]+)/gu)
  return new Set(Array.from(found, ([, tag]) => `#${tag?.toLowerCase()}`))
}

/** Whether X shows only the beginning of a long post. */
export const isCut = (text: string) => /(?:…|\.\.\.)(?:\s+https:\/\/t\.co\/\w{1,20})?$/.test(text)
