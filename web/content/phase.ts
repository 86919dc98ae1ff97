import type { Phase } from '#contract/phase.ts'

/** Formats an ISO time in UTC, for pages rendered without knowing the reader's time zone. */
export function inUtc(iso: string): string {
  const words = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(new Date(iso))
  return `${words.replace(' at ', ', ')} UTC`
}

/** Texts for a campaign that is not open; a date follows `when`. */
export const PHASES: Record<Exclude<Phase, 'open'>, { stamp: string; when: string; note: string }> = {
  before: {
    stamp: 'Not open yet',
    when: 'Opens on',
    note: 'You can register now, so you’re ready when it opens.',
  },
  after: {
    stamp: 'Closed',
    when: 'Closed on',
    note: 'No new claims are accepted. Claims sent in time will still be verified.',
  },
}

/** Precedes the closing date of an open campaign. */
export const OPEN_UNTIL = 'Open until'
