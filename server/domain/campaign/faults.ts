import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { type MessageIn, type Texts, textsIn } from '#server/messages/catalogue.ts'

type Words = Texts['FAULTS']

/** Why a setting is invalid: the name of a message, with its values. */
export type Fault = MessageIn<Words>

/** A fault with the paths of the settings involved. It is reported at the first of them. */
export type Problem = { paths: readonly string[]; fault: Fault }

/** Completes a sentence that begins with the setting’s name. */
export function faultIn({ code, ...values }: Fault, locale: Locale = DEFAULT_LOCALE): string {
  const words: string | ((values: never) => string) = textsIn(locale).FAULTS[code]
  return typeof words === 'string' ? words : words(values as never)
}

/** A sentence that begins with the path of the setting, without a period. */
export const problemIn = ({ paths: [path], fault }: Problem, locale: Locale = DEFAULT_LOCALE): string =>
  `${path || 'the default export'} ${faultIn(fault, locale)}`

export const isFaultCode = (code: string): code is keyof Words =>
  Object.hasOwn(textsIn(DEFAULT_LOCALE).FAULTS, code)
