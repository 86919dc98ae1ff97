import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '#server/platform/database/database.ts'
import { record } from './record.ts'

/**
 * Erases the details of every entry whose actor or subject is the user, or whose subject is one of the user's
 * claims, and records that. The journal stays valid: an entry's hash covers only a hash of the details.
 * @returns the number of entries whose details were erased.
 */
export async function eraseDetails(db: Database, userId: string): Promise<number> {
  return inTransaction(db, (tx) => eraseDetailsInTransaction(tx, userId))
}

export async function eraseDetailsInTransaction(tx: Tx, userId: string): Promise<number> {
  // With an array instead of `in`, PostgreSQL looks up both sides of `or` in indexes.
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
