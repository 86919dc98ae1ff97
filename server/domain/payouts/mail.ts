import { letter, type Template } from '../mail/templates.ts'

/** The emails about the payout. */
export const payoutMails: Record<string, Template> = {
  'payout-paid': ({ username = '', wallet = '', amount = '', link = '' }, context) =>
    letter(context, username, `Your payout from ${context.campaign.name} has arrived`, [
      `${amount} has arrived in your wallet ${wallet}. You don’t need to do anything.`,
      { link, label: 'See the transfer' },
      'We’ll never ask you to send anything back or to sign anything to keep it.',
    ]),
}
