import type { PublishedHead } from '#contract/journal.ts'

/** A head in the format of `--head`. */
export const headText = ({ hash, number }: PublishedHead) => `${hash}@${number}`

/** Texts of the page that publishes the heads of the journal. */
export const JOURNAL = {
  title: 'Journal',
  lead: 'Every decision, credit and rule change is recorded in order. A record that is changed later no longer fits, and this page explains how to check.',
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
  published: {
    title: 'What is published',
    text: 'Once a day, we publish the newest fingerprint and its entry number. Keep a copy of one: if the journal is rewritten later, it will no longer match.',
    none: 'Nothing has been decided yet. The first fingerprint will follow the first decision.',
    entry: (number: string) => `Entry ${number}`,
    all: 'All fingerprints as JSON',
  },
  check: {
    title: 'How to check',
    text: 'Ask us for the journal file; it can be shared without personal data. One command then tells you whether it matches a published fingerprint, or names the first line that does not fit:',
    command: (head: string) => `npm run journal -- verify journal.ndjson --head ${head}`,
    sample: 'FINGERPRINT@NUMBER',
  },
}
