import type { Rejection, TimelineEntry } from '#contract/claims/claim-history.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { Database } from '#server/platform/database/database.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { readSignals } from '../signals/read-signals.ts'

/** Translates the reasons in a participant's claim and timeline. They are stored in English. */
export async function translateOwnClaim(db: Database, own: OwnClaim, locale: Locale): Promise<OwnClaim> {
  if (locale === DEFAULT_LOCALE) return own
  const { claim, timeline } = own
  return {
    ...own,
    timeline: translateTimeline(timeline, locale),
    claim: claim && {
      ...claim,
      rejection: claim.rejection && translateRejection(claim.rejection, locale),
      heldFor: await translateHeldFor(db, claim, locale),
    },
  }
}

export const translateTimeline = (timeline: readonly TimelineEntry[], locale: Locale): TimelineEntry[] =>
  timeline.map((entry) => ({ ...entry, reason: entry.reason && translateRejection(entry.reason, locale) }))

/** Translates the predefined sentence that begins a reason, but not the reviewer's own words after it. */
export function translateRejection({ code, text }: Rejection, locale: Locale): Rejection {
  const english = reasonsIn(DEFAULT_LOCALE).get(code)
  const translated = reasonsIn(locale).get(code)
  return english && translated && text.startsWith(english)
    ? { code, text: translated + text.slice(english.length) }
    : { code, text }
}

function reasonsIn(locale: Locale): Map<string, string> {
  const { REJECTION_REASONS, ACCOUNT_REASONS } = textsIn(locale)
  return new Map(Object.entries({ ...REJECTION_REASONS, ...ACCOUNT_REASONS }))
}

/** A reason stays in English if its signal is gone or has changed since the claim was held. */
export async function translateHeldFor(
  db: Database,
  { _id: id, heldFor }: Pick<NonNullable<OwnClaim['claim']>, '_id' | 'heldFor'>,
  locale: Locale,
): Promise<string[]> {
  if (heldFor.length === 0 || locale === DEFAULT_LOCALE) return heldFor
  const [english, translated] = await Promise.all([readSignals(db, id), readSignals(db, id, locale)])
  // A claim has at most one signal of a kind. Between the two reads, a signal may come or go.
  const translatedByKind = new Map(translated.map(({ kind, reason }) => [kind, reason]))
  const translations = new Map(english.map(({ kind, reason }) => [reason, translatedByKind.get(kind)]))
  return heldFor.map((reason) => translations.get(reason) ?? reason)
}
