import type { Alert } from '#contract/dashboard/alerts.ts'
import { alertText } from '#web/content/dashboard/alerts.ts'
import { DASHBOARD_ROUTES } from '#web/dashboard-routes.ts'
import { forAdministrators, letter, urlOf } from '../mail/templates.ts'

const alertOf = ({ condition, facts = '{}' }: Record<string, string>) => ({
  condition: condition as Alert['condition'],
  facts: JSON.parse(facts) as Alert['facts'],
})

/** The value `facts` has the alert's facts as JSON. */
export const alertMails = forAdministrators({
  'alert-raised': (values, context) => {
    const { ALERTS, ALERT_MAILS, DASHBOARD_MAIL_LINKS } = context.texts
    const alert = alertOf(values)
    const { title, advice } = ALERTS[alert.condition]
    // Every screen of the dashboard shows the alerts. Only about stuck emails does one say more.
    const route = alert.condition === 'mail_stuck' ? DASHBOARD_ROUTES.mail : DASHBOARD_ROUTES.claims
    const subject = ALERT_MAILS.raised.subject({ problem: title, campaign: context.campaign.name })
    return letter(context, values['username'] ?? '', subject, [
      alertText(alert, ALERTS),
      advice,
      ALERT_MAILS.raised.once,
      { link: urlOf(context, route.id), label: DASHBOARD_MAIL_LINKS.dashboard },
    ])
  },

  'alert-cleared': (values, context) => {
    const { ALERTS, ALERT_MAILS } = context.texts
    const { title, cleared } = ALERTS[alertOf(values).condition]
    const subject = ALERT_MAILS.cleared.subject({ problem: title, campaign: context.campaign.name })
    return letter(context, values['username'] ?? '', subject, [cleared])
  },
})
