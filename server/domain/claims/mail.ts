import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { MAX_ATTEMPTS } from '#contract/claims/claims.ts'
import { pointsInWords } from '#web/content/points.ts'
import { letter, type Template } from '../mail/templates.ts'

/** What can be done after a rejection: correct it; only appeal, since it was the last attempt, or the reason is final. */
const NEXT_STEPS: Record<string, string> = {
  correct: `We’re keeping your slot for ${SLOT_HOURS} hours so that you can correct your claim and send it again. If you think we made a mistake, you can appeal on your profile. If you do, we’ll keep your slot until we reply.`,
  last: `You’ve used all ${MAX_ATTEMPTS} attempts. If you think we made a mistake, you can appeal on your profile. We’re keeping your slot for ${SLOT_HOURS} hours and, if you appeal in that time, until we reply.`,
  final:
    'The slot goes to someone else. If you think we made a mistake, you can appeal on your profile. If your appeal succeeds, you’ll get a slot ahead of the waiting list.',
}

/** The emails about a participant's claim. */
export const claimMails: Record<string, Template> = {
  'claim-received': ({ username = '' }, context) =>
    letter(context, username, `We received your claim at ${context.campaign.name}`, [
      'Your claim has a slot. A reviewer will look at it, and you can edit it until the review starts.',
      { link: `${context.publicUrl}/profile`, label: 'See your claim’s status' },
    ]),

  'claim-held': ({ username = '', reasons = '' }, context) =>
    letter(context, username, `Your claim at ${context.campaign.name} is on hold`, [
      'Your claim has not been rejected. A reviewer is taking a closer look because:',
      ...reasons.split('\n'),
      'If you think we made a mistake, you can appeal on your profile. You keep your slot in the meantime.',
      { link: `${context.publicUrl}/profile`, label: 'See your claim’s status' },
    ]),

  // `points`: of each kind, in emails that a version before tasks had points of their own has queued.
  'claim-approved': ({ username = '', points = '0', pfPoints = points, plsPoints = points }, context) => {
    const granted = { pfPoints: Number(pfPoints), plsPoints: Number(plsPoints) }
    return letter(context, username, `Your claim at ${context.campaign.name} is approved`, [
      `A reviewer has verified your claim. It earned you ${pointsInWords(granted, context.campaign)}.`,
      { link: `${context.publicUrl}/profile`, label: 'See your points' },
    ])
  },

  'claim-rejected': ({ username = '', reason = '', next = 'correct' }, context) =>
    letter(context, username, `Your claim at ${context.campaign.name} was rejected`, [
      'A reviewer rejected your claim for this reason:',
      reason,
      NEXT_STEPS[next] ?? '',
      { link: `${context.publicUrl}/profile`, label: next === 'correct' ? 'Correct or appeal' : 'Appeal' },
    ]),

  'claim-promised-slot': ({ username = '' }, context) =>
    letter(context, username, `You get the next slot at ${context.campaign.name}`, [
      'We rejected your claim by mistake, and we’re sorry. All slots are taken right now, but the next one that opens up is yours, ahead of the waiting list.',
      'We’ll email you when it’s reserved for you, so that you can send your claim again.',
      { link: `${context.publicUrl}/profile`, label: 'See your status' },
    ]),

  'claim-slot-withdrawn': ({ username = '' }, context) =>
    letter(context, username, `Your slot at ${context.campaign.name} has gone to someone else`, [
      'We were keeping a slot for your rejected claim. That claim appears to be one of several made by the same person or program, so we have released the slot.',
      NEXT_STEPS['final'] ?? '',
      { link: `${context.publicUrl}/profile`, label: 'Appeal' },
    ]),

  'claim-rejection-upheld': ({ username = '', reason = '' }, context) =>
    letter(context, username, `We’ve decided your appeal at ${context.campaign.name}`, [
      'A reviewer has read your appeal. The rejection stands for this reason:',
      reason,
      { link: `${context.publicUrl}/profile`, label: 'See your claim’s status' },
    ]),

  'claim-reopened': ({ username = '' }, context) =>
    letter(context, username, `Your claim at ${context.campaign.name} is being reviewed again`, [
      'The decision on your claim was undone, and a reviewer will look at it again. You have a slot.',
      { link: `${context.publicUrl}/profile`, label: 'See your claim’s status' },
    ]),
}
