import { chown, mkdtemp, stat } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { findSharedMemory } from '#server/testing/shared-memory.ts'

/** Creates a folder in shared memory; undefined if the system has none with enough room. */
export async function createMemoryFolder(): Promise<string | undefined> {
  const memory = await findSharedMemory()
  return memory && (await mkdtemp(path.join(memory, 'dropwright-tests-')))
}

/**
 * Trades durability for speed: without fsync tests take half the time. With `memory` all databases created
 * from now on are stored there. A database is three hundred files, and allocating them on disk took a sixth
 * of the processor time of a run, because the file system reuses freed space only after a minute.
 */
export async function disableDurability(url: string, memory: string | undefined): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('alter system set fsync = off')
    await client.query('select pg_reload_conf()')
    if (!memory) return
    // PostgreSQL requires a folder of its own user, which differs from ours if root runs the tests.
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const { uid, gid } = await stat(rows[0]!.data_directory)
    await chown(memory, uid, gid)
    await client.query(`create tablespace memory location ${pg.escapeLiteral(memory)}`)
    // New databases are copies of template1 and inherit its tablespace.
    await client.query('alter database template1 set tablespace memory')
  } finally {
    await client.end()
  }
}
