import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { catalogIn } from './errors.ts'

const { answers } = catalogIn(DEFAULT_LOCALE)

/** The name of each message of a successful call: a route replies with it, and the caller reads the text. */
export const messages = Object.fromEntries(Object.keys(answers).map((name) => [name, name])) as {
  readonly [Name in keyof typeof answers]: Name
}

/** The messages in English, as the commands say them. */
export const answerTexts = answers
