import type { PublishedHead } from '#contract/journal.ts'

/** A head as the verifier takes it. */
export const headText = ({ hash, number }: PublishedHead) => `${hash}@${number}`

/** The words of the page that publishes how far the journal has come. */
export const JOURNAL = {
  title: 'Journal',
  lead: 'Every decision, every credit and every change of a rule is written down in order. What is written cannot be changed unseen: this page is how you check.',
  inIt: {
    title: 'What is in it',
    text: [
      'Each decision about a claim, each credit and each reversal, each change of roles and of the campaign’s settings, and each export: who did it, when, and what stood there before and after.',
      'As ids and amounts. Names, reasons and where a decision came from stand apart from it, so that they can be erased without breaking what is told here.',
    ],
  },
  holds: {
    title: 'Why it holds',
    text: [
      'Each entry has a number and a fingerprint, made with SHA-256 from its content and the fingerprint of the entry before. Whoever changes, removes, moves or adds an entry changes every fingerprint that follows.',
    ],
  },
  published: {
    title: 'What is published',
    text: 'Once a day, the newest fingerprint with the number of its entry. Keep one: a journal that was rewritten later does not lead to it.',
    none: 'Nothing has been decided yet. The first fingerprint follows the first decision.',
    entry: (number: string) => `Entry ${number}`,
    all: 'All of them, for programs',
  },
  check: {
    title: 'How to check',
    text: 'Ask for the journal’s file; it can be given without anything personal. Then one command says whether it leads to a fingerprint that was published, or names the first line that does not fit:',
    command: (head: string) => `npm run journal -- verify journal.ndjson --head ${head}`,
    sample: 'FINGERPRINT@NUMBER',
  },
}
