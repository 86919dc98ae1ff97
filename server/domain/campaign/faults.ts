import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { type Texts, textsIn } from '#server/messages/catalogue.ts'

type Words = Texts['FAULTS']

/** Why a setting does not fit: the name of what is said, with the values in it. */
export type Fault = {
  [Code in keyof Words]: Words[Code] extends (values: infer Values) => string
    ? { code: Code } & Values
    : { code: Code }
}[keyof Words]

/** What is wrong with a campaign, and the settings that it is about; the first one has it. */
export type Problem = { paths: readonly string[]; fault: Fault }

/** Goes on after the name of the setting. */
export function faultIn({ code, ...values }: Fault, locale: Locale = DEFAULT_LOCALE): string {
  const words: string | ((values: never) => string) = textsIn(locale).FAULTS[code]
  return typeof words === 'string' ? words : words(values as never)
}

/** A problem as a sentence that begins with the path of the setting, without a period. */
export const problemIn = ({ paths: [path], fault }: Problem, locale: Locale = DEFAULT_LOCALE): string =>
  `${path || 'the default export'} ${faultIn(fault, locale)}`

export const isFault = (code: string): code is keyof Words =>
  Object.hasOwn(textsIn(DEFAULT_LOCALE).FAULTS, code)
