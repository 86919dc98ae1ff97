import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { createCluster } from './cluster.ts'
import { connectToOwner } from './ownership.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { commandLine, findPostmaster, spawnPostmaster, stopPostmaster } from './postmaster.ts'

const POLL_MS = 25
/** After this time an orphaned postmaster that does not answer counts as hung. */
const HUNG_AFTER_MS = 5_000
/** Allows for a long crash recovery. */
const TIMEOUT_MS = 120_000
/** A single failure may just be a lost race against another start. */
const MAX_STARTS = 3

export type Acquisition = { owner: pg.Client } | { takenBy: string }

/**
 * Becomes the owner of a running PostgreSQL: starts one, adopts an orphan (its parent was killed), or replaces one
 * that hangs or was started by another version.
 * @param timeoutMs to wait for another owner to exit.
 * @returns the connection that holds the ownership lock, or the current owner.
 */
export async function acquireCluster(location: ClusterLocation, timeoutMs: number): Promise<Acquisition> {
  await createCluster(location)
  const startedAt = Date.now()
  let silentSince = Date.now()
  let starts = 0
  while (Date.now() - startedAt < TIMEOUT_MS) {
    const result = await connectToOwner(location.socket)
    if (result.is !== 'silent') silentSince = Date.now()
    if (result.is === 'mine') {
      if (await isAdoptable(location)) return { owner: result.client }
      await stopPostmaster(location.cluster)
      continue
    }
    if (result.is === 'taken' && Date.now() - startedAt >= timeoutMs) return { takenBy: result.by }
    if (result.is === 'silent') {
      const running = await findPostmaster(location.cluster)
      const isHung = Date.now() - silentSince > HUNG_AFTER_MS
      if (running?.isAttended && isHung)
        return { takenBy: `the process that started PostgreSQL ${running.pid}` }
      if (running && isHung) await stopPostmaster(location.cluster)
      if (!running) await start(location, (starts += 1))
      // A new postmaster gets the full time to answer.
      if (!running) silentSince = Date.now()
    }
    await pause(POLL_MS)
  }
  throw new Error(`PostgreSQL was not ready after ${TIMEOUT_MS / 1000} s; see ${location.log}`)
}

/** An orphan is adopted only if its command line equals ours, apart from the pid in its name. */
async function isAdoptable(location: ClusterLocation): Promise<boolean> {
  const running = await findPostmaster(location.cluster)
  const withoutPid = (command: string) => command.replace(/-\d+$/, '')
  return running !== undefined && withoutPid(running.command) === withoutPid(commandLine(location).join(' '))
}

async function start(location: ClusterLocation, attempt: number): Promise<void> {
  if (attempt > MAX_STARTS) throw new Error(`PostgreSQL does not start: ${await tailOfLog(location.log)}`)
  // After a crash the old shared memory takes a moment to disappear.
  await pause((attempt - 1) * 500)
  // Stale after a crash: PostgreSQL would mistake a process that reuses the pid for a server and refuse to start.
  await rm(path.join(location.cluster, 'postmaster.pid'), { force: true })
  await rm(path.join(location.socket, '.s.PGSQL.5432.lock'), { force: true })
  const { exited } = await spawnPostmaster(location)
  const end = Date.now() + HUNG_AFTER_MS
  const postmaster = { gone: false }
  void exited.then(() => (postmaster.gone = true))
  while (!postmaster.gone && Date.now() < end && !(await findPostmaster(location.cluster)))
    await pause(POLL_MS)
}

async function tailOfLog(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-4).join(' | ') || `it wrote nothing to ${log}`
}
