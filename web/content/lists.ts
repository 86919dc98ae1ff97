import { INTL_TAG } from '#messages/locale.js'

/**
 * A list in words, “A, B, and C”. Adds a space that `Intl.ListFormat` leaves out: between Chinese characters
 * and Latin letters or digits, as in “V1 和 V2”.
 * @param tag the language for `Intl`; by default the build's.
 */
export function listInWords(parts: readonly string[], tag: string = INTL_TAG): string {
  const list = new Intl.ListFormat(tag).format(parts)
  return tag.startsWith('zh') ? list.replace(SEAMS, ' ') : list
}

const SEAMS = /(?<=[\w%])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\w)/gu
