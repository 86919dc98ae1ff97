import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { letter, type Template } from '../mail/templates.ts'

/** The emails about webhooks. `receiver`: the origin of its address; the rest of it may be a secret. */
export const webhookMails: Record<string, Template> = {
  'webhook-disabled': ({ username = '', receiver = '', failure = '', because = '' }, context) =>
    letter(context, username, `The webhook to ${receiver} has been disabled`, [
      because === 'gone'
        ? 'Its receiver answered 410 Gone, which means that it no longer wants to be called.'
        : 'A message was given up after eight attempts, about 18 hours after the first, and nothing else has arrived in between.',
      `The last attempt ${failure}.`,
      'Events that happen while it is disabled are not sent. Once the receiver works again, enable the webhook and replay the messages that it has missed.',
      { link: `${context.publicUrl}${DASHBOARD_ROUTES.webhooks.path}`, label: 'Open the webhooks' },
    ]),
}
