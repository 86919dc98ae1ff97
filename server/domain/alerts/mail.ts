import type { Alert } from '#contract/dashboard/alerts.ts'
import { ALERTS } from '#web/content/dashboard/alerts.ts'
import { letter, type Template } from '../mail/templates.ts'

const wordsOf = (values: Record<string, string>) => ALERTS[values['condition'] as Alert['condition']]
const factsOf = ({ facts = '{}' }: Record<string, string>) => JSON.parse(facts) as Alert['facts']

/** The emails to administrators about the deployment. `facts`: of the alert, as JSON. */
export const alertMails: Record<string, Template> = {
  'alert-raised': (values, context) =>
    letter(context, values['username'] ?? '', `${wordsOf(values).title}: ${context.campaign.name}`, [
      wordsOf(values).text(factsOf(values)),
      wordsOf(values).advice,
      'We won’t email you about this again until it’s resolved.',
      { link: `${context.publicUrl}/dashboard/mail`, label: 'Open the dashboard' },
    ]),

  'alert-cleared': (values, context) =>
    letter(
      context,
      values['username'] ?? '',
      `Resolved: ${wordsOf(values).title}, ${context.campaign.name}`,
      [wordsOf(values).cleared],
    ),
}
