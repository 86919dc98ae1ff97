import { ALERTS } from '#messages/dashboard-alerts.js'
import type { Alert } from '#contract/dashboard/alerts.ts'

type AlertContent = Pick<Alert, 'condition' | 'facts'>

/** @param words the messages of a language; by default the build's. */
export function alertText(alert: AlertContent, words = ALERTS): string {
  return sentencesOf(alert, words)
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function sentencesOf({ condition, facts }: AlertContent, words: typeof ALERTS): string[] {
  const { hours, answer, error, folder = '', gigabytes = '', machine = '', kinds = '' } = facts
  // A missing fact counts as 0 or as empty, so that the alert is sent all the same.
  const count = (name: string) => Number(facts[name]) || 0
  const { disk_low, mail_stuck, backup_failed, jobs_dead } = words
  switch (condition) {
    case 'disk_low':
      return [disk_low.text({ folder, gigabytes, machine })]
    case 'mail_stuck':
      return [
        facts['refused'] === undefined
          ? mail_stuck.text({ waiting: count('waiting'), minutes: count('minutes') })
          : mail_stuck.refused({ refused: count('refused') }),
        answer ? mail_stuck.answer({ answer }) : '',
      ]
    case 'backup_failed':
      return [
        hours === undefined ? backup_failed.never : backup_failed.text({ hours: Number(hours) }),
        error ? backup_failed.error({ error }) : '',
      ]
    case 'jobs_dead':
      return [jobs_dead.text({ jobs: count('jobs'), kinds }), error ? jobs_dead.error({ error }) : '']
  }
}
