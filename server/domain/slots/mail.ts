import { SLOT_HOURS } from '#contract/claims/slots.ts'
import { letter, type Template } from '../mail/templates.ts'

/** The emails about slots. */
export const slotMails: Record<string, Template> = {
  'slot-freed': ({ username = '', state }, context) =>
    letter(context, username, `Your slot at ${context.campaign.name} was released`, [
      state === 'kept'
        ? `We kept the slot of your rejected claim for ${SLOT_HOURS} hours. That time is up, so the slot goes to the next person.`
        : `We reserved a slot for you for ${SLOT_HOURS} hours. That time is up, so the slot goes to the next person.`,
      'You can claim again while slots are available, or join the waiting list once they’re gone.',
      { link: `${context.publicUrl}/airdrop`, label: 'Go to the airdrop' },
    ]),

  'slot-ended': ({ username = '', state }, context) =>
    letter(context, username, `Your slot at ${context.campaign.name} has expired`, [
      state === 'kept'
        ? `We kept the slot of your rejected claim for ${SLOT_HOURS} hours. That time is up and the airdrop is closed, so no more claims are accepted.`
        : `We reserved a slot for you for ${SLOT_HOURS} hours. That time is up and the airdrop is closed, so no more claims are accepted.`,
      { link: `${context.publicUrl}/profile`, label: 'See your status' },
    ]),

  'waiting-list-ended': ({ username = '' }, context) =>
    letter(context, username, `The waiting list of ${context.campaign.name} has ended`, [
      'The airdrop is closed. You were on the waiting list, but no slot opened up for you in time.',
      'Thank you for your patience. Your account and your points stay as they are.',
      { link: `${context.publicUrl}/leaderboard`, label: 'See the leaderboard' },
    ]),

  'slot-reserved': ({ username = '' }, context) =>
    letter(context, username, `A slot at ${context.campaign.name} is reserved for you`, [
      `It’s your turn: a slot is reserved for you for ${SLOT_HOURS} hours. Claim it in that time, or it goes to the next person.`,
      { link: `${context.publicUrl}/airdrop`, label: 'Claim now' },
    ]),
}
