import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { catalogIn } from './errors.ts'

const { answers } = catalogIn(DEFAULT_LOCALE)

/** The names of the messages of successful calls, for a route's reply: the caller gets them in their language. */
export const messages = Object.fromEntries(Object.keys(answers).map((name) => [name, name])) as {
  readonly [Name in keyof typeof answers]: Name
}

/** The messages in English, as the commands say them. */
export const answerTexts = answers
