import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { forAdministrators, letter, urlOf } from '../mail/templates.ts'

/** `receiver` is only the address's origin, because the path may be secret. */
export const webhookMails = forAdministrators({
  'webhook-disabled': ({ username = '', receiver = '', failure = '', because = '' }, context) => {
    const { WEBHOOK_MAILS, DASHBOARD_MAIL_LINKS } = context.texts
    const words = WEBHOOK_MAILS.disabled
    return letter(context, username, words.subject({ receiver }), [
      because === 'gone' ? words.gone : words.failing,
      words.lastAttempt({ failure }),
      words.next,
      { link: urlOf(context, DASHBOARD_ROUTES.webhooks.id), label: DASHBOARD_MAIL_LINKS.webhooks },
    ])
  },
})
