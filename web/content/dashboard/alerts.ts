import { ALERTS } from '#messages/dashboard-alerts.js'
import type { Alert } from '#contract/dashboard/alerts.ts'

type AlertContent = Pick<Alert, 'condition' | 'facts'>

/**
 * What an alert says: sentences that follow each other.
 * @param words the messages of a language; by default the build's.
 */
export function alertText(alert: AlertContent, words = ALERTS): string {
  return sentencesOf(alert, words)
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function sentencesOf({ condition, facts }: AlertContent, words: typeof ALERTS): string[] {
  const { hours, answer, error } = facts
  const { disk_low, mail_stuck, backup_failed, jobs_dead } = words
  switch (condition) {
    case 'disk_low':
      return [disk_low.text(textsIn(facts, 'folder', 'gigabytes', 'machine'))]
    case 'mail_stuck':
      return [
        mail_stuck.text(countsIn(facts, 'waiting', 'minutes')),
        answer ? mail_stuck.answer({ answer }) : '',
      ]
    case 'backup_failed':
      return [
        hours === undefined ? backup_failed.never : backup_failed.text({ hours: Number(hours) }),
        error ? backup_failed.error({ error }) : '',
      ]
    case 'jobs_dead':
      return [
        jobs_dead.text({ ...countsIn(facts, 'jobs'), ...textsIn(facts, 'kinds') }),
        error ? jobs_dead.error({ error }) : '',
      ]
  }
}

const textsIn = <Name extends string>(facts: Alert['facts'], ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, facts[name] ?? ''])) as Record<Name, string | number>

/** A missing fact counts as 0, because the alert is sent even without it. */
const countsIn = <Name extends string>(facts: Alert['facts'], ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, Number(facts[name]) || 0])) as Record<Name, number>
