import type { SignalKind } from '#contract/claims/signals.ts'
import type { GrantedPoints } from '#contract/claims/granted-points.ts'
import { intlTag } from '#contract/locales.ts'
import { listInWords } from '#web/content/lists.ts'
import { type Facts, reasonOf } from '../signals/signal-texts.ts'
import { letter, type LetterContext, type Template, urlOf } from '../mail/templates.ts'

/**
 * What can be done after a rejection: correct it; only appeal, since it was the last attempt, or the reason
 * is final.
 */
type NextStep = keyof LetterContext['texts']['CLAIM_MAILS']['rejected']['next']

/** The emails about a participant's claim. */
export const claimMails: Record<string, Template> = {
  'claim-received': ({ username = '' }, context) => {
    const words = context.texts.CLAIM_MAILS.received
    return letter(context, username, words.subject(named(context)), [
      words.text,
      toProfile(context, 'claimStatus'),
    ])
  },

  'claim-held': ({ username = '', ...values }, context) => {
    const words = context.texts.CLAIM_MAILS.held
    return letter(context, username, words.subject(named(context)), [
      words.intro,
      ...reasonsOf(values, context),
      words.appeal,
      toProfile(context, 'claimStatus'),
    ])
  },

  // `points`: of each kind, in emails queued by a version in which tasks had no points of their own.
  'claim-approved': ({ username = '', points = '0', pfPoints = points, plsPoints = points }, context) => {
    const words = context.texts.CLAIM_MAILS.approved
    const granted = { pfPoints: Number(pfPoints), plsPoints: Number(plsPoints) }
    return letter(context, username, words.subject(named(context)), [
      words.text({ points: pointsInWords(granted, context) }),
      toProfile(context, 'points'),
    ])
  },

  'claim-rejected': ({ username = '', next = 'correct', ...values }, context) => {
    const words = context.texts.CLAIM_MAILS.rejected
    return letter(context, username, words.subject(named(context)), [
      words.intro,
      rejectionOf(values, context),
      words.next[next as NextStep],
      toProfile(context, next === 'correct' ? 'correctOrAppeal' : 'appeal'),
    ])
  },

  'claim-promised-slot': ({ username = '' }, context) => {
    const words = context.texts.CLAIM_MAILS.promisedSlot
    return letter(context, username, words.subject(named(context)), [
      words.text,
      words.next,
      toProfile(context, 'status'),
    ])
  },

  'claim-slot-withdrawn': ({ username = '' }, context) => {
    const { slotWithdrawn: words, rejected } = context.texts.CLAIM_MAILS
    return letter(context, username, words.subject(named(context)), [
      words.text,
      rejected.next.final,
      toProfile(context, 'appeal'),
    ])
  },

  'claim-rejection-upheld': ({ username = '', ...values }, context) => {
    const words = context.texts.CLAIM_MAILS.rejectionUpheld
    return letter(context, username, words.subject(named(context)), [
      words.intro,
      rejectionOf(values, context),
      toProfile(context, 'claimStatus'),
    ])
  },

  'claim-reopened': ({ username = '' }, context) => {
    const words = context.texts.CLAIM_MAILS.reopened
    return letter(context, username, words.subject(named(context)), [
      words.text,
      toProfile(context, 'claimStatus'),
    ])
  },
}

/** “5,000 ABC points and 1 XYZ point”; a kind without points is left out. */
function pointsInWords({ pfPoints, plsPoints }: GrantedPoints, context: LetterContext): string {
  const { token, chain } = context.campaign
  const kinds = [
    { points: pfPoints, symbol: token.symbol },
    { points: plsPoints, symbol: chain.currency.symbol },
  ]
  const sums = kinds.filter(({ points }) => points > 0).map((kind) => context.texts.POINTS.sum(kind))
  return listInWords(sums, intlTag(context.locale))
}

/**
 * Reasons in the email's language. `signals`: kinds and facts as JSON; emails queued by an earlier version
 * have only sentences.
 */
function reasonsOf({ signals, reasons = '' }: Record<string, string>, { locale }: LetterContext): string[] {
  if (signals === undefined) return reasons.split('\n')
  const found = JSON.parse(signals) as { kind: SignalKind; facts: Facts }[]
  return found.map(({ kind, facts }) => reasonOf(kind, facts, locale))
}

/**
 * A reviewer's reason in the email's language, with what they added. Emails queued by an earlier version have
 * no `code`.
 */
function rejectionOf(
  { code, note = '', reason = '' }: Record<string, string>,
  { texts }: LetterContext,
): string {
  const reasons = texts.REJECTION_REASONS
  if (code === undefined) return reason
  const closed = Object.hasOwn(reasons, code) ? reasons[code as keyof typeof reasons] : ''
  return [closed, note].filter(Boolean).join(' ')
}

const named = ({ campaign }: LetterContext) => ({ campaign: campaign.name })

const toProfile = (context: LetterContext, label: keyof LetterContext['texts']['MAIL_LINKS']) => ({
  link: urlOf(context, '/profile'),
  label: context.texts.MAIL_LINKS[label],
})
