import type { Locale } from '#contract/locales.ts'

/** Punctuation that may not begin a line, and that may not end one. */
const CLOSING = /^[\p{Pe}\p{Pf}，。、；：！？…—·％%,.;:!?]/u
const OPENING = /[\p{Ps}\p{Pi}]$/u

/**
 * The parts of a text between which a line may break, each with the spaces that follow it. Chinese, which has
 * no spaces, breaks between words of the dictionary, but not before a comma or after an opening bracket.
 */
export function wordsOf(text: string, locale: Locale): string[] {
  if (locale !== 'zh-Hans') return text.split(/(?<=\s)(?=\S)/)
  const parts: string[] = []
  for (const { segment } of new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)) {
    const last = parts.at(-1)
    const isJoined =
      last !== undefined && (/^\s/.test(segment) || CLOSING.test(segment) || OPENING.test(last))
    if (isJoined) parts[parts.length - 1] = last + segment
    else parts.push(segment)
  }
  return parts
}
