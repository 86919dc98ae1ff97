import type { TimelineEntry } from '#contract/entities.ts'

/** What a line of a timeline says. */
export const HAPPENED: Record<TimelineEntry['what'], string> = {
  received: 'Received',
  edited: 'Edited',
  corrected: 'Corrected and sent again',
  under_review: 'Under review',
  held: 'Held for a closer look',
  appealed: 'Appealed',
  approved: 'Approved',
  rejected: 'Rejected',
  reopened: 'Opened again',
  slot_freed: 'The slot was given up',
}
