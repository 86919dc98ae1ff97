import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { letter, type Template } from '../mail/templates.ts'

/** The emails about webhooks. `receiver`: the origin of its address; the rest of it may be a secret. */
export const webhookMails: Record<string, Template> = {
  'webhook-disabled': ({ username = '', receiver = '', failure = '', because = '' }, context) =>
    letter(context, username, `The webhook to ${receiver} has been disabled`, [
      because === 'gone'
        ? 'Its receiver answered 410 Gone, which means it no longer wants to be called.'
        : 'We gave up on a message after eight attempts over about 18 hours, and no other message got through in that time.',
      `On the last attempt, the receiver ${failure}.`,
      'Events that happen while it’s disabled are not sent. Once the receiver works again, enable the webhook and replay the messages it missed.',
      { link: `${context.publicUrl}${DASHBOARD_ROUTES.webhooks.path}`, label: 'Open the webhooks' },
    ]),
}
