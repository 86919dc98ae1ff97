import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { textsIn, type Texts } from './catalogue.ts'

/** Messages of successful calls in a language. */
export function answersIn(locale: Locale): Texts['ANSWERS'] & Texts['DASHBOARD_ANSWERS'] {
  const { ANSWERS, DASHBOARD_ANSWERS } = textsIn(locale)
  return { ...ANSWERS, ...DASHBOARD_ANSWERS }
}

/** In English, as the commands say them. */
export const messages = answersIn(DEFAULT_LOCALE)
