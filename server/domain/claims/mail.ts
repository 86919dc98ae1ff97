import { pointsInWords } from '#web/content/points.ts'
import { letter, type LetterContext, type Template, urlOf } from '../mail/templates.ts'

/** What can be done after a rejection: correct it; only appeal, since it was the last attempt, or the reason is final. */
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

  'claim-held': ({ username = '', reasons = '' }, context) => {
    const words = context.texts.CLAIM_MAILS.held
    return letter(context, username, words.subject(named(context)), [
      words.intro,
      ...reasons.split('\n'),
      words.appeal,
      toProfile(context, 'claimStatus'),
    ])
  },

  // `points`: of each kind, in emails queued by a version in which tasks had no points of their own.
  'claim-approved': ({ username = '', points = '0', pfPoints = points, plsPoints = points }, context) => {
    const words = context.texts.CLAIM_MAILS.approved
    const granted = { pfPoints: Number(pfPoints), plsPoints: Number(plsPoints) }
    return letter(context, username, words.subject(named(context)), [
      words.text({ points: pointsInWords(granted, context.campaign) }),
      toProfile(context, 'points'),
    ])
  },

  'claim-rejected': ({ username = '', reason = '', next = 'correct' }, context) => {
    const words = context.texts.CLAIM_MAILS.rejected
    return letter(context, username, words.subject(named(context)), [
      words.intro,
      reason,
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

  'claim-rejection-upheld': ({ username = '', reason = '' }, context) => {
    const words = context.texts.CLAIM_MAILS.rejectionUpheld
    return letter(context, username, words.subject(named(context)), [
      words.intro,
      reason,
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

const named = ({ campaign }: LetterContext) => ({ campaign: campaign.name })

const toProfile = (context: LetterContext, label: keyof LetterContext['texts']['MAIL_LINKS']) => ({
  link: urlOf(context, '/profile'),
  label: context.texts.MAIL_LINKS[label],
})
