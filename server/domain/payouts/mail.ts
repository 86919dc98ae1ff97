import { letter, type Template } from '../mail/templates.ts'

/** The emails about the payout. */
export const payoutMails: Record<string, Template> = {
  'payout-paid': ({ username = '', wallet = '', amount = '', link = '' }, context) =>
    letter(context, username, `Your payout from ${context.campaign.name} has arrived`, [
      `${amount} has arrived at your wallet ${wallet}. Nothing is left for you to do.`,
      { link, label: 'See the transfer' },
      'We will never ask you to send anything back, or to sign anything in order to keep it.',
    ]),
}
