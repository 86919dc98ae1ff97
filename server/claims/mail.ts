import { SLOT_HOURS } from '#contract/slots.ts'
import { MAX_ATTEMPTS } from '#contract/claims.ts'
import { letter } from '../mail/letter.ts'
import type { Part } from '../mail/mail.ts'
import type { Template } from '../mail/templates.ts'

/** What can be done after a rejection: correct it; only appeal, since it was the last attempt, or the reason is final. */
const WAY_ON: Record<string, string> = {
  correct: `Your slot is kept for ${SLOT_HOURS} hours: in that time you can correct your claim and send it again. If we are mistaken, you can appeal in your profile; then the slot is kept until somebody answers.`,
  last: `You have sent a claim ${MAX_ATTEMPTS} times, which is as often as it can be sent. If we are mistaken, you can appeal in your profile. Your slot is kept for ${SLOT_HOURS} hours, and until somebody answers if you appeal in that time.`,
  final:
    'The slot goes to somebody else. If we are mistaken, you can appeal in your profile: if you are right, you get a slot before everybody who waits.',
}

/** The mails about a participant's claim. */
export const claimMails: Record<string, Template> = {
  'claim-received': ({ username = '' }, context) =>
    letter(context, username, `We received your claim at ${context.campaign.name}`, [
      { say: 'Your claim has a slot. Somebody will look at it; until that begins you can still change it.' },
      { link: `${context.publicUrl}/profile`, label: 'See where it stands' },
    ]),

  'claim-held': ({ username = '', reasons = '' }, context) =>
    letter(context, username, `Your claim at ${context.campaign.name} is held`, [
      { say: 'Your claim is not refused: somebody will look at it more closely. This is why:' },
      ...reasons.split('\n').map((say): Part => ({ say })),
      { say: 'If we are mistaken, tell us in your profile. Your slot stays yours meanwhile.' },
      { link: `${context.publicUrl}/profile`, label: 'See where it stands' },
    ]),

  'claim-approved': ({ username = '', points = '' }, context) => {
    const { token, chain } = context.campaign
    return letter(context, username, `Your claim at ${context.campaign.name} is approved`, [
      {
        say: `Somebody looked at your claim and verified it. You have ${points} ${token.symbol} and ${points} ${chain.currency.symbol} points for it.`,
      },
      { link: `${context.publicUrl}/profile`, label: 'See your points' },
    ])
  },

  'claim-rejected': ({ username = '', reason = '', next = 'correct' }, context) =>
    letter(context, username, `Your claim at ${context.campaign.name} was rejected`, [
      { say: 'Somebody looked at your claim and rejected it. This is why:' },
      { say: reason },
      { say: WAY_ON[next] ?? '' },
      { link: `${context.publicUrl}/profile`, label: next === 'correct' ? 'Correct or appeal' : 'Appeal' },
    ]),

  'claim-promised-slot': ({ username = '' }, context) =>
    letter(context, username, `You get the next slot at ${context.campaign.name}`, [
      {
        say: 'The rejection of your claim was a mistake. All slots are taken right now, and you are the first in line for the next one that becomes free, before the waiting list.',
      },
      { say: 'A mail tells you when it is reserved for you; then you send your claim once more.' },
      { link: `${context.publicUrl}/profile`, label: 'See where you stand' },
    ]),

  'claim-slot-withdrawn': ({ username = '' }, context) =>
    letter(context, username, `Your slot at ${context.campaign.name} is given to somebody else`, [
      {
        say: 'Your rejected claim kept a slot. It looks as if it was made together with others by one person or a program, so it keeps the slot no longer.',
      },
      { say: WAY_ON['final'] ?? '' },
      { link: `${context.publicUrl}/profile`, label: 'Appeal' },
    ]),

  'claim-rejection-upheld': ({ username = '', reason = '' }, context) =>
    letter(context, username, `Your appeal at ${context.campaign.name}`, [
      { say: 'Somebody read your appeal. The rejection stays, and this is why:' },
      { say: reason },
      { link: `${context.publicUrl}/profile`, label: 'See where it stands' },
    ]),

  'claim-reopened': ({ username = '' }, context) =>
    letter(context, username, `Your claim at ${context.campaign.name} is looked at again`, [
      {
        say: 'The decision about your claim was taken back, and somebody will look at it again. Your slot is yours.',
      },
      { link: `${context.publicUrl}/profile`, label: 'See where it stands' },
    ]),
}
