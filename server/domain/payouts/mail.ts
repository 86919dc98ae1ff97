import { letter, type Template } from '../mail/templates.ts'

/** The emails about the payout. */
export const payoutMails: Record<string, Template> = {
  'payout-paid': ({ username = '', wallet = '', amount = '', link = '', ...frozen }, context) => {
    const { campaign, texts } = context
    const words = texts.PAYOUT_MAILS.paid
    // The current campaign is named in the reader's language, an earlier one as at the freeze.
    const name = frozen['campaignId'] === campaign.id ? campaign.name : (frozen['campaign'] ?? campaign.name)
    return letter(context, username, words.subject({ campaign: name }), [
      words.text({ amount, wallet }),
      { link, label: texts.MAIL_LINKS.transfer },
      words.warning,
    ])
  },
}
