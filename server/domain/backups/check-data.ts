import type { Database } from '#server/platform/database/database.ts'
import { readSealedLines } from '../journal/export-journal.ts'
import { type Verification, verifyJournal } from '../journal/verify.ts'
import { checkLedger } from '../ledger/check-ledger.ts'

export type CheckedData = {
  journal: Verification
  /** What {@link checkLedger} found wrong, a line each; empty when everything adds up. */
  ledger: string[]
}

/** Verifies the journal's chain, the balances and slot counts. Reads everything once, with little memory. */
export async function checkData(db: Database): Promise<CheckedData> {
  return { journal: await verifyJournal(readSealedLines(db)), ledger: await checkLedger(db) }
}

/** What {@link checkData} found wrong, a line each. */
export const problemsOf = ({ journal, ledger }: CheckedData): string[] => [
  ...(journal.ok ? [] : [`the journal does not verify: line ${journal.line}, ${journal.why}`]),
  ...ledger,
]
