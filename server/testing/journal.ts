import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Line } from '../domain/journal/chain.ts'
import { exportJournal } from '../domain/journal/export-journal.ts'
import { type JournalRecord, record } from '../domain/journal/record.ts'
import { sealJournal } from '../domain/journal/seal.ts'
import { type Head, verifyJournal } from '../domain/journal/verify.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'

/** An entry with personal details. */
export const ANY_ENTRY: JournalRecord = {
  actor: null,
  action: 'claim.rejected',
  before: { status: 'under_review' },
  after: { status: 'rejected', points: 20_000 },
  network: '192.0.2.7',
  details: { reason: 'Der Beitrag von "Ann" fehlt – 期限 🦊' },
}

export const recordEntries = (db: Database, ...entries: JournalRecord[]) =>
  inTransaction(db, (tx) => record(tx, ...entries))

/** The entries of an action or about a subject, oldest first, with their details. */
export const entriesOf = (db: Database, filter: { action: string } | { subject: string }) =>
  db
    .selectFrom('journal as j')
    .leftJoin('journal_details as d', 'd.entry', 'j.id')
    .select(['j.actor', 'j.action', 'j.subject', 'j.before', 'j.after', 'd.content'])
    .where((entry) => entry.and(filter))
    .orderBy('j.id')
    .execute()

export async function exportLines(db: Database, withDetails = true): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of await exportJournal(db, { actor: null, withDetails })) lines.push(line)
  return lines
}

/** Texts stay as they are, so that tests can pass malformed lines. */
async function* asFile(lines: readonly unknown[]): AsyncGenerator<string> {
  for (const line of lines) yield typeof line === 'string' ? line : JSON.stringify(line)
}

export const verifyLines = (lines: readonly unknown[], head?: Head) => verifyJournal(asFile(lines), head)

/** Seals the journal, and asserts that every entry is sealed once, without gaps, in a valid chain. */
export async function assertSealed(db: Database): Promise<Line[]> {
  await sealJournal(db)
  const recorded = await db.selectFrom('journal').select('id').execute()
  const lines = await exportLines(db)
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).toSorted()
  assert.deepEqual(ids(lines), ids(recorded))
  for (const [index, { number }] of lines.entries()) assert.equal(number, index + 1)
  const verdict = await verifyLines(lines)
  assert.ok(verdict.ok, JSON.stringify(verdict))
  return lines
}

/** Asserts that each ledger row has a journal entry with its id, kind, amount and user, and vice versa. */
export async function assertLedgerJournaled(db: Database): Promise<void> {
  const { rows } = await sql`
    select l.id, j.id as entry from ledger l
      full join (select * from journal where action in ('points.credited', 'points.reversed')) j
      on j.after->>'ledger' = l.id::text and j.after->>'kind' = l.kind and j.subject = l.user_id
        and (j.after->>'amount')::bigint = l.amount and (j.action = 'points.reversed') = (l.amount < 0)
    where l.id is null or j.id is null`.execute(db)
  assert.deepEqual(rows, [])
}
