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

  'slot-reserved': ({ username = '' }, context) =>
    letter(context, username, `A slot at ${context.campaign.name} is reserved for you`, [
      {
        say: `You waited, and now it is your turn: a slot is reserved for you for ${SLOT_HOURS} hours. Claim it in that time, else it goes to the next.`,
      },
      { link: `${context.publicUrl}/airdrop`, label: 'Claim now' },
    ]),
}
