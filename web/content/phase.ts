import type { Phase } from '#contract/phase.ts'

/** A moment as a server knows it, whoever reads. @param iso An ISO time. */
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

/** What is said of a campaign that cannot be claimed from now; a date follows `when`. */
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

/** What comes before the date at which an open campaign closes. */
export const OPEN_UNTIL = 'Open until'
