import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { makeCluster } from './cluster.ts'
import { connectToOwner } from './ownership.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { commandLine, findPostmaster, spawnPostmaster, stopPostmaster } from './postmaster.ts'

/** Milliseconds. */
const TICK = 25
/** How long a live postmaster that nobody attends may stay silent before it counts as hung. */
const SILENCE = 5_000
/** Crash recovery after a busy day takes its time. */
const LONGEST = 120_000
/** A start that loses a race against another one ends too, so one failure says nothing yet. */
const STARTS = 3

export type Acquisition = { owner: pg.Client } | { takenBy: string }

/**
 * Makes sure a PostgreSQL runs on the place, and becomes its owner: starts one, adopts an orphan (of a
 * program that was killed), or replaces one that hangs or that another version of us started.
 * @param patience milliseconds to wait for another owner to go.
 * @returns the connection that holds the ownership, or who has it.
 */
export async function acquireCluster(place: ClusterLocation, patience: number): Promise<Acquisition> {
  await makeCluster(place)
  const begin = Date.now()
  let silentSince = Date.now()
  let starts = 0
  while (Date.now() - begin < LONGEST) {
    const contact = await connectToOwner(place.socket)
    if (contact.is !== 'silent') silentSince = Date.now()
    if (contact.is === 'mine') {
      if (await isAsWanted(place)) return { owner: contact.client }
      await stopPostmaster(place.cluster)
      continue
    }
    if (contact.is === 'taken' && Date.now() - begin >= patience) return { takenBy: contact.by }
    if (contact.is === 'silent') {
      const running = await findPostmaster(place.cluster)
      const hangs = Date.now() - silentSince > SILENCE
      if (running?.isAttended && hangs)
        return { takenBy: `the process that started PostgreSQL ${running.pid}` }
      if (running && hangs) await stopPostmaster(place.cluster)
      if (!running) await start(place, (starts += 1))
      // What has just been started gets its own time to answer.
      if (!running) silentSince = Date.now()
    }
    await pause(TICK)
  }
  throw new Error(`PostgreSQL was not ready after ${LONGEST / 1000} s; see ${place.log}`)
}

/** An orphan is adopted only if we would have started it the same way (but for the pid in its name). */
async function isAsWanted(place: ClusterLocation): Promise<boolean> {
  const running = await findPostmaster(place.cluster)
  const withoutPid = (command: string) => command.replace(/-\d+$/, '')
  return running !== undefined && withoutPid(running.command) === withoutPid(commandLine(place).join(' '))
}

async function start(place: ClusterLocation, attempt: number): Promise<void> {
  if (attempt > STARTS) throw new Error(`PostgreSQL does not start: ${await lastWords(place.log)}`)
  // After a crash: what the last one left in memory needs a moment to go.
  await pause((attempt - 1) * 500)
  // Left by a crash too. PostgreSQL itself would take the pid's new holder for a server and refuse.
  await rm(path.join(place.cluster, 'postmaster.pid'), { force: true })
  await rm(path.join(place.socket, '.s.PGSQL.5432.lock'), { force: true })
  const { exited } = await spawnPostmaster(place)
  const end = Date.now() + SILENCE
  const postmaster = { gone: false }
  void exited.then(() => (postmaster.gone = true))
  while (!postmaster.gone && Date.now() < end && !(await findPostmaster(place.cluster))) await pause(TICK)
}

async function lastWords(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  return text.trim().split('\n').slice(-4).join(' | ') || `it left no word in ${log}`
}
