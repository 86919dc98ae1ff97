import type { Alert } from '#contract/dashboard/alerts.ts'
import { ALERTS } from '#web/content/dashboard/alerts.ts'
import { forAdministrators, letter, urlOf } from '../mail/templates.ts'

const wordsOf = (values: Record<string, string>) => ALERTS[values['condition'] as Alert['condition']]
const factsOf = ({ facts = '{}' }: Record<string, string>) => JSON.parse(facts) as Alert['facts']

/** The emails to administrators about the deployment. `facts`: of the alert, as JSON. */
export const alertMails = forAdministrators({
  'alert-raised': (values, context) => {
    const { ALERT_MAILS, DASHBOARD_MAIL_LINKS } = context.texts
    const { title, text, advice } = wordsOf(values)
    const subject = ALERT_MAILS.raised.subject({ problem: title, campaign: context.campaign.name })
    return letter(context, values['username'] ?? '', subject, [
      text(factsOf(values)),
      advice,
      ALERT_MAILS.raised.once,
      { link: urlOf(context, '/dashboard/mail'), label: DASHBOARD_MAIL_LINKS.dashboard },
    ])
  },

  'alert-cleared': (values, context) => {
    const { title, cleared } = wordsOf(values)
    const words = context.texts.ALERT_MAILS.cleared
    const subject = words.subject({ problem: title, campaign: context.campaign.name })
    return letter(context, values['username'] ?? '', subject, [cleared])
  },
})
