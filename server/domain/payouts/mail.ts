import { letter, type Template } from '../mail/templates.ts'

/** The emails about the payout. */
export const payoutMails: Record<string, Template> = {
  'payout-paid': ({ username = '', wallet = '', amount = '', link = '' }, context) =>
    letter(context, username, `Your ${context.campaign.name} has been paid`, [
      `${amount} has arrived at your wallet ${wallet}. Nothing is left for you to do.`,
      { link, label: 'See the transfer' },
      'We never ask you to send anything back, or to sign anything to keep it.',
    ]),
}
