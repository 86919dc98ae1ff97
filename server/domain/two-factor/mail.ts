import { forAdministrators, letter, urlOf } from '../mail/templates.ts'

/** The emails about two-factor login. `what`: enabled, disabled, reset by the operator, or new recovery codes. */
export const twoFactorMails = forAdministrators({
  'two-factor-changed': ({ username = '', what = 'enabled' }, context) => {
    const { TWO_FACTOR_MAILS, MAIL_LINKS } = context.texts
    const words = TWO_FACTOR_MAILS.changed
    return letter(context, username, words.subject({ campaign: context.campaign.name }), [
      words[what as 'enabled' | 'disabled' | 'reset' | 'codes_renewed'],
      words.notYou,
      { link: urlOf(context, '/forgot-password'), label: MAIL_LINKS.newPassword },
    ])
  },
})
