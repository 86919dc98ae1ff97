import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { record } from './record.ts'

/**
 * Erases the details of every entry about a person: as actor, as subject, or through their claims. The sealed
 * chain is unchanged.
 * @returns the number of entries whose details were erased.
 */
export async function eraseDetails(db: Database, userId: string): Promise<number> {
  return inTransaction(db, (tx) => eraseDetailsInTransaction(tx, userId))
}

/** {@link eraseDetails} as part of a transaction. */
export async function eraseDetailsInTransaction(tx: Tx, userId: string): Promise<number> {
  // An array instead of `in`, so that both sides of `or` are index look-ups.
  const { rows } = await sql<{ entry: string }>`
    delete from journal_details d using journal j
    where j.id = d.entry and (j.actor = ${userId}
      or j.subject = any (array(select id from claims where user_id = ${userId}) || ${userId}::uuid))
    returning d.entry`.execute(tx)
  await record(tx, {
    actor: null,
    action: 'journal.details_erased',
    subject: userId,
    after: { entries: rows.length },
  })
  return rows.length
}
