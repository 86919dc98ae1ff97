import { execFile, spawn } from 'node:child_process'
import { open, readFile, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ClusterLocation } from './cluster-location.ts'

/** A running postmaster on a cluster of ours. */
export type Postmaster = {
  pid: number
  /** Program and arguments, joined by spaces (`ps` does not tell where one ends). */
  command: string
  /** Whether another process started it and is still alive. */
  isAttended: boolean
}

/** Starts `postgres` in a session of its own: Ctrl-C in a terminal must reach us first, not it. */
export async function spawnPostmaster(place: ClusterLocation): Promise<{ exited: Promise<void> }> {
  await keepLogShort(place.log)
  const log = await open(place.log, 'a', 0o600)
  try {
    const [program, ...args] = commandLine(place)
    const child = spawn(program, args, {
      ...place.account,
      cwd: path.parse(place.cluster).root,
      env: cleanEnvironment(),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
    child.unref()
    return { exited }
  } finally {
    await log.close()
  }
}

/** Program and arguments. The name at the end tells who started it, and with which version. */
export function commandLine({
  binaries,
  cluster,
  socket,
  maxConnections,
}: ClusterLocation): [string, ...string[]] {
  const settings = [
    `listen_addresses=`,
    `max_connections=${maxConnections}`,
    `unix_socket_directories="${socket.replaceAll('"', '""')}"`,
    `unix_socket_permissions=0700`,
    // Statements and refused values hold personal data, and hostile input must not fill the disk.
    `log_min_messages=log`,
    `log_min_error_statement=panic`,
    `log_checkpoints=off`,
    `log_timezone=UTC`,
    `timezone=UTC`,
    `cluster_name=dropwright-${binaries.version}-${process.pid}`,
  ]
  return [
    path.join(binaries.folder, 'bin', 'postgres'),
    '-D',
    cluster,
    ...settings.flatMap((one) => ['-c', one]),
  ]
}

/** Nothing of ours is PostgreSQL's business: no secrets, no locale, no PG* variables. */
export const cleanEnvironment = () => ({ PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' })

/** The postmaster that runs on the cluster, if its pid file does not lie (a pid may have been reused). */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(file, 10)
  const found = pid > 0 ? await describe(pid) : undefined
  if (!found?.command.includes(` -D ${cluster} -c `)) return undefined
  const startedBy = Number(/-(\d+)$/.exec(found.command)?.[1])
  // An orphan has another parent than the one that its name tells.
  const isAttended = startedBy === found.parent && startedBy !== process.pid
  return { pid, command: found.command, isAttended }
}

type Process = { parent: number; command: string }

async function describe(pid: number): Promise<Process | undefined> {
  try {
    return process.platform === 'linux' ? await describeByProc(pid) : await describeByPs(pid)
  } catch {
    return undefined
  }
}

async function describeByProc(pid: number): Promise<Process> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8')
  const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(0, -1).join(' ')
  return { parent, command }
}

async function describeByPs(pid: number): Promise<Process> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)])
  const [, parent, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(stdout.trim()) ?? []
  return { parent: Number(parent), command }
}

/** First a clean end, then one that the next start repairs, then the plug. Milliseconds. */
const STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 3_500],
  ['SIGQUIT', 900],
  ['SIGKILL', 500],
]

/** Stops what runs on the cluster, within five seconds; `atOnce`: without a clean end, in a fraction of one. */
export async function stopPostmaster(cluster: string, { atOnce = false } = {}): Promise<void> {
  const running = await findPostmaster(cluster)
  if (!running) return
  for (const [signal, patience] of atOnce ? STEPS.slice(1) : STEPS) {
    tell(running.pid, signal)
    if (await isGone(cluster, running.pid, Date.now() + patience)) return
  }
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended by itself.
  }
}

async function isGone(cluster: string, pid: number, deadline: number): Promise<boolean> {
  while (Date.now() < deadline) {
    if ((await findPostmaster(cluster))?.pid !== pid) return true
    await pause(20)
  }
  return false
}

const LONGEST_LOG = 5_000_000

async function keepLogShort(log: string): Promise<void> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  )
  if (size > LONGEST_LOG) await rename(log, `${log}.old`)
}
