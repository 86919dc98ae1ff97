import { sql } from 'kysely'
import type { Tx } from '#server/platform/database/database.ts'

/** Erases every email to an address, sent or not, and the record that it refuses emails. By jobs_recipients. */
export async function eraseMails(tx: Tx, address: string): Promise<void> {
  await sql`delete from jobs where kind in ('mail', 'announcement') and lower(payload ->> 'to') = lower(${address})`.execute(
    tx,
  )
  await tx.deleteFrom('suppressions').where('email_key', '=', address.toLowerCase()).execute()
}
