import { ALERTS as ALERTS_MESSAGES } from '#messages/dashboard-alerts.js'
import type { Alert, AlertCondition } from '#contract/dashboard/alerts.ts'

type Facts = Alert['facts']
type Words = { title: string; text: (facts: Facts) => string; advice: string; cleared: string }

const emails = (count: unknown) => (count === 1 ? '1 email' : `${String(count)} emails`)
const answered = (answer: string | number | undefined) =>
  answer ? ` The mail server’s answer: ${String(answer)}` : ''

/** What administrators are alerted to, on the dashboard and by email. */
export const ALERTS: Record<AlertCondition, Words> = {
  ...(ALERTS_MESSAGES as unknown as Record<AlertCondition, Words>),
  mail_stuck: {
    title: 'Emails are not being sent',
    text: ({ waiting, minutes, answer }) =>
      `${emails(waiting)} waiting, the oldest for ${String(minutes)} minutes.${answered(answer)}`,
    advice:
      'Run npm run doctor: its check “mail server” says what is wrong with SMTP_URL or with the mail server.',
    cleared: 'Emails are being sent again.',
  },
  backup_failed: {
    title: 'There is no recent backup',
    text: ({ hours, error }) =>
      (hours === undefined
        ? 'No scheduled backup has been made yet.'
        : `The last one is ${String(hours)} hours old.`) +
      (error ? ` The last attempt failed: ${String(error)}` : ''),
    advice:
      'Find the cause in the log, make a backup with npm run backup -- FILE, and check the disk that holds BACKUP_DIR.',
    cleared: 'Backups are being made again.',
  },
  jobs_dead: {
    title: 'Background jobs have failed',
    text: ({ jobs, kinds, error }) =>
      `${jobs === 1 ? '1 job' : `${String(jobs)} jobs`} failed within a day (${String(kinds)}).${error ? ` The latest error: ${String(error)}` : ''}`,
    advice: 'Find the cause in the log.',
    cleared: 'No job has failed for a day.',
  },
}
