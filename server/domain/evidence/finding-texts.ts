import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { type Texts, textsIn } from '#server/messages/catalogue.ts'

type Words = Texts['FINDINGS']

/**
 * What a check found: the name of its sentence, with the values in it. Foreign data in it has matched a pattern or is
 * capped.
 */
export type Found = {
  [Code in keyof Words]: Words[Code] extends (values: infer Values) => string
    ? { code: Code } & Values
    : { code: Code }
}[keyof Words]

/** What a check found as a sentence for the reviewer; undefined for a code that this version does not know. */
export function sentenceOf({ code, ...values }: Found, locale: Locale = DEFAULT_LOCALE): string | undefined {
  const { FINDINGS } = textsIn(locale)
  if (!Object.hasOwn(FINDINGS, code)) return undefined
  const words: string | ((values: never) => string) = FINDINGS[code]
  return typeof words === 'string' ? words : words(values as never)
}

/** Where a check looked, by its name and the stored source; a service is called by its own name in every language. */
export function sourceIn(check: string, source: string, locale: Locale): string {
  const words = textsIn(locale).EVIDENCE_SOURCES
  if (!Object.hasOwn(words, check)) return source
  const named = words[check as keyof typeof words]
  return typeof named === 'string' ? named : named({ id: /\d+/.exec(source)?.[0] ?? '' })
}

export const isSameHandle = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
