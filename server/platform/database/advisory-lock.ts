import { sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Takes an advisory lock until the transaction ends, so that one node at a time does something. Never waits.
 * @param lock a number that is unique in the database.
 * @returns false while another transaction holds it.
 */
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
