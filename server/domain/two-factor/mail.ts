import { forAdministrators, letter, urlOf } from '../mail/templates.ts'

/** Only the operator causes `reset`. */
export type TwoFactorEvent = 'enabled' | 'disabled' | 'reset' | 'codes_renewed'

/** `what` is a {@link TwoFactorEvent}. */
export const twoFactorMails = forAdministrators({
  'two-factor-changed': ({ username = '', what = 'enabled' }, context) => {
    const { TWO_FACTOR_MAILS, MAIL_LINKS } = context.texts
    const words = TWO_FACTOR_MAILS.changed
    return letter(context, username, words.subject({ campaign: context.campaign.name }), [
      words[what as TwoFactorEvent],
      words.notYou,
      { link: urlOf(context, '/forgot-password'), label: MAIL_LINKS.newPassword },
    ])
  },
})
