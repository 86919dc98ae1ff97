import { ALERTS } from '#messages/dashboard-alerts.js'
import type { Alert } from '#contract/dashboard/alerts.ts'

type Condition = Pick<Alert, 'condition' | 'facts'>

/**
 * What an alert says: sentences that follow each other.
 * @param words the messages of a language; by default the build's.
 */
export function alertText({ condition, facts }: Condition, words = ALERTS): string {
  const { hours, answer, error } = facts
  const sentences = {
    disk_low: () => [words.disk_low.text(textsIn(facts, 'folder', 'gigabytes', 'machine'))],
    mail_stuck: () => [
      words.mail_stuck.text(countsIn(facts, 'waiting', 'minutes')),
      answer ? words.mail_stuck.answer({ answer }) : '',
    ],
    backup_failed: () => [
      hours === undefined ? words.backup_failed.never : words.backup_failed.text({ hours: Number(hours) }),
      error ? words.backup_failed.error({ error }) : '',
    ],
    jobs_dead: () => [
      words.jobs_dead.text({ ...countsIn(facts, 'jobs'), ...textsIn(facts, 'kinds') }),
      error ? words.jobs_dead.error({ error }) : '',
    ],
  }[condition]()
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

const textsIn = <Name extends string>(facts: Alert['facts'], ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, facts[name] ?? ''])) as Record<Name, string | number>

/** A missing fact counts as 0, because the alert is sent even without it. */
const countsIn = <Name extends string>(facts: Alert['facts'], ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, Number(facts[name]) || 0])) as Record<Name, number>
