import { letter, type LetterContext, type Template } from '../mail/templates.ts'

/** The emails about the payout. */
export const payoutMails: Record<string, Template> = {
  'payout-paid': ({ username = '', wallet = '', amount = '', link = '', ...paid }, context) => {
    const { PAYOUT_MAILS, MAIL_LINKS } = context.texts
    const words = PAYOUT_MAILS.paid
    return letter(context, username, words.subject({ campaign: nameOf(paid, context) }), [
      words.text({ amount, wallet }),
      { link, label: MAIL_LINKS.transfer },
      words.warning,
    ])
  },
}

/** The name of the paid campaign: at the freeze if it is an earlier one, else in the reader's language. */
function nameOf(
  { campaignId, campaign: frozenName }: Record<string, string>,
  { campaign }: LetterContext,
): string {
  return campaignId === campaign.id ? campaign.name : (frozenName ?? campaign.name)
}
