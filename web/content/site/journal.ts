import { JOURNAL as JOURNAL_MESSAGES } from '#messages/journal.js'
import type { PublishedHead } from '#contract/journal.ts'

/** A head in the format of `--head`. */
export const headText = ({ hash, number }: PublishedHead) => `${hash}@${number}`

/** Texts of the page that publishes the heads of the journal. */
export const JOURNAL = {
  ...JOURNAL_MESSAGES,
  inIt: {
    title: 'What is in it',
    text: [
      'Every decision on a claim, every credit and reversal, every change to roles or campaign settings, and every export: who did it, when, and the values before and after.',
      'It contains only IDs and amounts. Names, reasons and network addresses are stored separately, so they can be erased without breaking the journal.',
    ],
  },
  holds: {
    title: 'Why you can rely on it',
    text: [
      'Each entry has a number and a fingerprint: a SHA-256 hash of its content and the previous entry’s fingerprint. Changing, removing, moving or inserting an entry changes every fingerprint after it.',
    ],
  },
}
