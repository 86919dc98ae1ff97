import type { SignalKind } from '#contract/claims/signals.ts'
import type { GrantedPoints } from '#contract/claims/granted-points.ts'
import { intlTag } from '#contract/locales.ts'
import { listInWords } from '#web/content/lists.ts'
import { type Facts, reasonOf } from '../signals/signal-texts.ts'
import type { Part } from '../mail/compose.ts'
import { letter, type LetterContext, type Template, urlOf } from '../mail/templates.ts'

/**
 * What a participant can do after a rejection. `correct`: correct the claim or appeal. `last` (this was the
 * last attempt) and `final` (the reason is final): only appeal. Emails queued by an earlier version have no
 * next step, which means `correct`.
 */
type NextStep = keyof Texts['rejected']['next']

export const claimMails: Record<string, Template> = {
  'claim-received': claimLetter('received', (words, context) => [
    words.text,
    toProfile(context, 'claimStatus'),
  ]),

  'claim-held': claimLetter('held', (words, context, values) => [
    words.intro,
    ...reasonsOf(values, context),
    words.appeal,
    toProfile(context, 'claimStatus'),
  ]),

  // Emails queued by an earlier version have only `points`, a number that holds for each kind.
  'claim-approved': claimLetter(
    'approved',
    (words, context, { points = '0', pfPoints = points, plsPoints = points }) => {
      const granted = { pfPoints: Number(pfPoints), plsPoints: Number(plsPoints) }
      return [words.text({ points: pointsInWords(granted, context) }), toProfile(context, 'points')]
    },
  ),

  'claim-rejected': claimLetter('rejected', (words, context, { next = 'correct', ...values }) => [
    words.intro,
    rejectionOf(values, context),
    words.next[next as NextStep],
    toProfile(context, next === 'correct' ? 'correctOrAppeal' : 'appeal'),
  ]),

  'claim-promised-slot': claimLetter('promisedSlot', (words, context) => [
    words.text,
    words.next,
    toProfile(context, 'status'),
  ]),

  'claim-slot-withdrawn': claimLetter('slotWithdrawn', (words, context) => [
    words.text,
    context.texts.CLAIM_MAILS.rejected.next.final,
    toProfile(context, 'appeal'),
  ]),

  'claim-rejection-upheld': claimLetter('rejectionUpheld', (words, context, values) => [
    words.intro,
    rejectionOf(values, context),
    toProfile(context, 'claimStatus'),
  ]),

  'claim-reopened': claimLetter('reopened', (words, context) => [
    words.text,
    toProfile(context, 'claimStatus'),
  ]),
}

type Texts = LetterContext['texts']['CLAIM_MAILS']

function claimLetter<Name extends keyof Texts>(
  name: Name,
  partsOf: (words: Texts[Name], context: LetterContext, values: Record<string, string>) => readonly Part[],
): Template {
  return ({ username = '', ...values }, context) => {
    const words = context.texts.CLAIM_MAILS[name]
    const subject = words.subject({ campaign: context.campaign.name })
    return letter(context, username, subject, partsOf(words, context, values))
  }
}

/** For example “5,000 ABC points and 1 XYZ point”. A kind without points is left out. */
function pointsInWords({ pfPoints, plsPoints }: GrantedPoints, context: LetterContext): string {
  const { token, chain } = context.campaign
  const kinds = [
    { points: pfPoints, symbol: token.symbol },
    { points: plsPoints, symbol: chain.currency.symbol },
  ]
  const sums = kinds.filter(({ points }) => points > 0).map((kind) => context.texts.POINTS.sum(kind))
  return listInWords(sums, intlTag(context.locale))
}

/** Emails queued by an earlier version have no `signals`, only `reasons` in English. */
function reasonsOf({ signals, reasons = '' }: Record<string, string>, { locale }: LetterContext): string[] {
  if (signals === undefined) return reasons.split('\n')
  const parsed = JSON.parse(signals) as { kind: SignalKind; facts: Facts }[]
  return parsed.map(({ kind, facts }) => reasonOf(kind, facts, locale))
}

/** Emails queued by an earlier version have only `reason`, in English. The reviewer wrote `note`. */
function rejectionOf(
  { code, note = '', reason = '' }: Record<string, string>,
  { texts }: LetterContext,
): Part {
  const reasons = texts.REJECTION_REASONS
  if (code === undefined) return reason
  const sentence = Object.hasOwn(reasons, code) ? reasons[code as keyof typeof reasons] : ''
  // Runs keep the line breaks of the note.
  return { runs: [{ text: [sentence, note].filter(Boolean).join(' '), link: null }] }
}

const toProfile = (context: LetterContext, label: keyof LetterContext['texts']['MAIL_LINKS']) => ({
  link: urlOf(context, '/profile'),
  label: context.texts.MAIL_LINKS[label],
})
