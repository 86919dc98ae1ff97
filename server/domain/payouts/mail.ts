import { campaignNameIn, letter, type Template } from '../mail/templates.ts'

export const payoutMails: Record<string, Template> = {
  'payout-paid': ({ username = '', wallet = '', amount = '', link = '', ...campaignValues }, context) => {
    const { texts } = context
    const words = texts.PAYOUT_MAILS.paid
    return letter(context, username, words.subject({ campaign: campaignNameIn(context, campaignValues) }), [
      words.text({ amount, wallet }),
      { link, label: texts.MAIL_LINKS.transfer },
      words.warning,
    ])
  },
}
