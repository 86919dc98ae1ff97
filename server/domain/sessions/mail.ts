import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { utc } from '#web/content/site/proofs.ts'
import { forAdministrators, letter, urlOf } from '../mail/templates.ts'

/** `device` and `network` are empty if unknown. `at` is an ISO time. */
export const sessionMails = forAdministrators({
  'administrator-login': ({ username = '', device = '', network = '', at = '' }, context) => {
    const { SESSION_MAILS, MAIL_LINKS, DASHBOARD_MAIL_LINKS } = context.texts
    const words = SESSION_MAILS.administratorLogin
    return letter(context, username, words.subject({ campaign: context.campaign.name }), [
      words.text({ username }),
      words.device({
        device: device || words.unknownDevice,
        network: network || words.unknownNetwork,
        time: utc(Date.parse(at) / 1_000),
      }),
      words.next,
      { link: urlOf(context, '/forgot-password'), label: MAIL_LINKS.newPassword },
      { link: urlOf(context, DASHBOARD_ROUTES.security.id), label: DASHBOARD_MAIL_LINKS.security },
    ])
  },
})
