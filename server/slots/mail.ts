import { SLOT_HOURS } from '#contract/slots.ts'
import { letter } from '../mail/letter.ts'
import type { Template } from '../mail/templates.ts'

/** The mails about slots. */
export const slotMails: Record<string, Template> = {
  'slot-freed': ({ username = '', state }, context) =>
    letter(context, username, `Your slot at ${context.campaign.name} is free again`, [
      {
        say:
          state === 'kept'
            ? `Your rejected claim kept its slot for ${SLOT_HOURS} hours. They are over, and the slot goes to the next participant.`
            : `A slot was reserved for you for ${SLOT_HOURS} hours. They are over, and the slot goes to the next participant.`,
      },
      {
        say: 'While there are slots you can claim again; when there are none you can join the waiting list.',
      },
      { link: `${context.publicUrl}/airdrop`, label: 'Go to the airdrop' },
    ]),

  'slot-ended': ({ username = '', state }, context) =>
    letter(context, username, `Your slot at ${context.campaign.name} has ended`, [
      {
        say:
          state === 'kept'
            ? `Your rejected claim kept its slot for ${SLOT_HOURS} hours. They are over, and so is the airdrop: no more claims are taken.`
            : `A slot was reserved for you for ${SLOT_HOURS} hours. They are over, and so is the airdrop: no more claims are taken.`,
      },
      { link: `${context.publicUrl}/profile`, label: 'See where you stand' },
    ]),

  'waiting-list-ended': ({ username = '' }, context) =>
    letter(context, username, `The waiting list of ${context.campaign.name} has ended`, [
      {
        say: 'The airdrop is closed. You were on the waiting list, and no slot became free for you in time. You need not wait any longer.',
      },
      { say: 'Thank you for your patience. Your account and your points stay as they are.' },
      { link: `${context.publicUrl}/leaderboard`, label: 'See the leaderboard' },
    ]),

  'slot-reserved': ({ username = '' }, context) =>
    letter(context, username, `A slot at ${context.campaign.name} is reserved for you`, [
      {
        say: `You waited, and now it is your turn: a slot is reserved for you for ${SLOT_HOURS} hours. Claim it in that time, else it goes to the next.`,
      },
      { link: `${context.publicUrl}/airdrop`, label: 'Claim now' },
    ]),
}
