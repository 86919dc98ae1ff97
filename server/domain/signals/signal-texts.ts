import type { SignalKind } from '#contract/claims/signals.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { DISPOSABLE_LIST_DATE } from './disposable.ts'
import { MAX_COUNTED } from './weights.ts'

/** `others` counts accounts, `seconds` is from sign-up to proof; `busy` if many use the shared network. */
export type Facts = { others?: number; seconds?: number; domain?: string; busy?: boolean }

/** Shown to reviewers and the participant, so it never names anyone else. */
export function reasonOf(kind: SignalKind, facts: Facts, locale: Locale = DEFAULT_LOCALE): string {
  const { others = 1, seconds = 0, domain = '', busy = false } = facts
  const words = textsIn(locale).SIGNAL_REASONS[kind]
  if (typeof words === 'string') return words
  return words({
    others: Math.min(others, MAX_COUNTED),
    // Above MAX_COUNTED, the text says “more than”.
    reach: others > MAX_COUNTED ? 'more' : 'counted',
    seconds,
    domain,
    date: DISPOSABLE_LIST_DATE,
    busy,
  })
}

/** How this kind of signal links accounts. Empty for a kind that links none. */
export const linkReasonOf = (kind: SignalKind, locale: Locale = DEFAULT_LOCALE): string => {
  const { JOINED_BY } = textsIn(locale)
  return kind in JOINED_BY ? JOINED_BY[kind as keyof typeof JOINED_BY] : ''
}
