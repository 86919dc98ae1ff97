import { chown, mkdtemp, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'

const SHARED_MEMORY = '/dev/shm'
const TMPFS = 0x01021994
/** Two tests at a time need a tenth of it. */
const ENOUGH = 2 * 1024 ** 3

/** A folder of this run that is kept in memory, where the system has one with room: Linux, mostly. */
export async function memoryFolder(): Promise<string | undefined> {
  const { type, bavail, bsize } = await statfs(SHARED_MEMORY).catch(() => ({ type: 0, bavail: 0, bsize: 0 }))
  if (type !== TMPFS || bavail * bsize < ENOUGH) return undefined
  return await mkdtemp(path.join(SHARED_MEMORY, 'dropwright-tests-'))
}

/**
 * What tests write need not survive a power cut, and without waiting for the disk they take half the time. In
 * `memory`, if it is given, stands each database that is made from now on: one is three hundred files, and a file
 * system on a disk spends more and more on finding places for them, as it does not give away what was freed a
 * minute ago (a sixth of all processor time of a run).
 */
export async function forgetfully(url: string, memory: string | undefined): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('alter system set fsync = off')
    await client.query('select pg_reload_conf()')
    if (!memory) return
    // Only a folder of its own serves a server, and that is somebody else when root runs the tests.
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const { uid, gid } = await stat(rows[0]!.data_directory)
    await chown(memory, uid, gid)
    await client.query(`create tablespace memory location ${pg.escapeLiteral(memory)}`)
    // Each new database is a copy of this one, or of a copy, and stands where it does.
    await client.query('alter database template1 set tablespace memory')
  } finally {
    await client.end()
  }
}
