import { SLOT_HOURS } from '#contract/slots.ts'
import { letter } from '../mail/letter.ts'
import type { Part } from '../mail/mail.ts'
import type { Template } from '../mail/templates.ts'

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

  'claim-rejected': ({ username = '', reason = '' }, context) =>
    letter(context, username, `Your claim at ${context.campaign.name} was rejected`, [
      { say: 'Somebody looked at your claim and rejected it. This is why:' },
      { say: reason },
      {
        say: `Your slot is kept for ${SLOT_HOURS} hours: in that time you can correct your claim and send it again. If we are mistaken, you can appeal in your profile.`,
      },
      { link: `${context.publicUrl}/profile`, label: 'Correct or appeal' },
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
