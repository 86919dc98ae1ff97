import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Takes a lock until `tx` ends; false if another transaction has it. @param lock unique in the database. */
export async function tryLock(tx: Tx, lock: number): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${lock}) as "isLocked"`.execute(tx)
  return rows[0]?.isLocked ?? false
}

/** Keeps these locks apart from those of other programs that hash a text to a lock. */
const SEED = 369

/** Takes the advisory lock of this name until the transaction ends. Waits while another one holds it. */
export async function lockByName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, ${SEED}))`.execute(tx)
}
