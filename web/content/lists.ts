import { INTL_TAG } from '#messages/locale.js'

/**
 * A list in words, “A, B, and C”. Chinese has a space between Latin letters or digits and its own characters,
 * which the list itself would leave out: “V1 和 V2”.
 * @param tag for `Intl`; that of the build if left out.
 */
export function listInWords(parts: readonly string[], tag: string = INTL_TAG): string {
  const list = new Intl.ListFormat(tag).format(parts)
  return tag.startsWith('zh') ? list.replace(SEAMS, ' ') : list
}

const SEAMS = /(?<=[\w%])(?=\p{Script=Han})|(?<=\p{Script=Han})(?=\w)/gu
