import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { catalogIn } from './errors.ts'

const { answers } = catalogIn(DEFAULT_LOCALE)

/** The names of the messages of successful calls. A route returns a name, and the caller gets the text. */
export const messages = Object.fromEntries(Object.keys(answers).map((name) => [name, name])) as {
  readonly [Name in keyof typeof answers]: Name
}

/** In English, for commands. */
export const answerTexts = answers
