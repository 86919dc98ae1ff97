import { letter, type Template } from '../mail/templates.ts'

/** The emails about the payout. */
export const payoutMails: Record<string, Template> = {
  'payout-paid': ({ username = '', wallet = '', amount = '', link = '' }, context) => {
    const { PAYOUT_MAILS, MAIL_LINKS } = context.texts
    const words = PAYOUT_MAILS.paid
    return letter(context, username, words.subject({ campaign: context.campaign.name }), [
      words.text({ amount, wallet }),
      { link, label: MAIL_LINKS.transfer },
      words.warning,
    ])
  },
}
