import type { Rejection, TimelineEntry } from '#contract/claims/claim-history.ts'
import type { OwnClaim } from '#contract/claims/claims.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/locales.ts'
import type { Database } from '#server/platform/database/database.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { readSignals } from '../signals/read-signals.ts'

/**
 * A participant's claim with its reasons in a language. Reasons are stored in English: one from the closed
 * list is replaced by its translation, and what a reviewer wrote stays as it is.
 */
export async function ownClaimIn(db: Database, own: OwnClaim, locale: Locale): Promise<OwnClaim> {
  if (locale === DEFAULT_LOCALE) return own
  const { claim, timeline } = own
  return {
    ...own,
    timeline: timelineIn(timeline, locale),
    claim: claim && {
      ...claim,
      rejection: claim.rejection && rejectionIn(claim.rejection, locale),
      heldFor: await heldForIn(db, claim, locale),
    },
  }
}

/** A timeline with its reasons in a language. */
export const timelineIn = (timeline: readonly TimelineEntry[], locale: Locale): TimelineEntry[] =>
  timeline.map((entry) => ({ ...entry, reason: entry.reason && rejectionIn(entry.reason, locale) }))

/** A rejection with its reason from the closed list translated; what a reviewer added stays as it is. */
export function rejectionIn({ code, text }: Rejection, locale: Locale): Rejection {
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

/** Why a claim is held, in a language. A reason whose signal has since gone or changed stays in English. */
export async function heldForIn(
  db: Database,
  { _id: id, heldFor }: Pick<NonNullable<OwnClaim['claim']>, '_id' | 'heldFor'>,
  locale: Locale,
): Promise<string[]> {
  if (heldFor.length === 0 || locale === DEFAULT_LOCALE) return heldFor
  const [english, translated] = await Promise.all([readSignals(db, id), readSignals(db, id, locale)])
  // A claim has at most one signal of a kind; rescoring between the two reads may add or remove one.
  const translatedByKind = new Map(translated.map(({ kind, reason }) => [kind, reason]))
  const translations = new Map(english.map(({ kind, reason }) => [reason, translatedByKind.get(kind)]))
  return heldFor.map((reason) => translations.get(reason) ?? reason)
}
