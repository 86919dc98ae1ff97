import { readSealedLines } from '#server/domain/journal/export-journal.ts'
import { compareHeads } from '#server/domain/journal/heads.ts'
import { verifyJournal } from '#server/domain/journal/verify.ts'
import { judged } from '../finding.ts'
import { type Check, DATABASE_VARIABLES, onDatabase } from '../subject.ts'
import { WORDS } from '../texts.ts'

export const journal: Check = {
  name: 'journal',
  reads: DATABASE_VARIABLES,
  examine: (subject, signal) =>
    onDatabase(subject, async (db) => {
      const verified = await verifyJournal(untilAborted(signal, readSealedLines(db)))
      const { published, mismatches } = await compareHeads(db)
      return judged(
        [
          ...(verified.ok ? [] : [WORDS.journal.broken(verified.line, verified.why)]),
          ...mismatches.map((day) => WORDS.journal.otherHead(day)),
        ],
        WORDS.journal.fine(verified.ok ? verified.head.number : 0, published),
      )
    }),
}

/** Stops when the check has run out of time, as it may with a long journal. */
async function* untilAborted(signal: AbortSignal, lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    signal.throwIfAborted()
    yield line
  }
}
