import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Alert } from '#contract/dashboard/alerts.ts'
import { textsIn } from '#server/messages/catalogue.ts'
import { MAIL_CONTEXT } from '#server/testing/deps.ts'
import { alertText } from '#web/content/dashboard/alerts.ts'
import { render } from '../mail/templates.ts'
import { alertMails } from './mail.ts'

const CASES: Pick<Alert, 'condition' | 'facts'>[] = [
  { condition: 'disk_low', facts: { folder: 'DATA_DIR', gigabytes: '1.2', machine: 'node-1' } },
  { condition: 'mail_stuck', facts: { waiting: 2, minutes: 1, answer: '451 Busy' } },
  { condition: 'mail_stuck', facts: { refused: 3, answer: '554 No more' } },
  { condition: 'backup_failed', facts: { error: 'EACCES' } },
  { condition: 'backup_failed', facts: { hours: 50, error: '' } },
  { condition: 'jobs_dead', facts: { jobs: 1, kinds: 'score-claim', error: 'It broke.' } },
]

test('emails about an alert are in the administrator’s language, or in English if the dashboard lacks it', () => {
  const wordsOf = { en: textsIn('en').ALERTS, es: textsIn('es').ALERTS, ar: textsIn('en').ALERTS }
  for (const alert of CASES)
    for (const locale of ['en', 'es', 'ar'] as const) {
      const values = { username: 'al', condition: alert.condition, facts: JSON.stringify(alert.facts) }
      const read = (template: string) =>
        render({ template, to: 'al@mail.example', values }, alertMails, MAIL_CONTEXT, locale)
      const { title, advice, cleared } = wordsOf[locale][alert.condition]
      const [raised, resolved] = [read('alert-raised'), read('alert-cleared')]
      assert.ok(raised.subject.includes(title), `${locale}: ${raised.subject}`)
      for (const sentence of [alertText(alert, wordsOf[locale]), advice])
        assert.ok(raised.text.includes(sentence), `${locale}: ${raised.text}`)
      assert.ok(resolved.subject.includes(title), `${locale}: ${resolved.subject}`)
      assert.ok(resolved.text.includes(cleared), `${locale}: ${resolved.text}`)
    }
  assert.notEqual(wordsOf.es.disk_low.title, wordsOf.en.disk_low.title)
})

test('an alert about emails leads to the mail section, any other to the dashboard', () => {
  for (const { condition, facts } of CASES) {
    const values = { username: 'al', condition, facts: JSON.stringify(facts) }
    const mail = { template: 'alert-raised', to: 'al@mail.example', values }
    const { text } = render(mail, alertMails, MAIL_CONTEXT, 'en')
    const path = condition === 'mail_stuck' ? '/dashboard/mail' : '/dashboard'
    assert.ok(text.split(/\s/).includes(`${MAIL_CONTEXT.publicUrl}${path}`), `${condition}: ${text}`)
  }
})
