import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ClusterLocation } from './cluster-location.ts'

type Postmaster = {
  pid: number
  /** Program and arguments joined by spaces, as `ps` shows them. */
  command: string
  /** Whether its parent is the process that started it, and another than this one. */
  isAttended: boolean
}

/** Starts `postgres` in its own session, so that Ctrl-C in a terminal signals only us. */
export async function spawnPostmaster(location: ClusterLocation): Promise<{ exited: Promise<void> }> {
  await rotateLog(location.log)
  const log = await open(location.log, 'a', 0o600)
  try {
    const [program, ...args] = commandLine(location)
    const child = spawn(program, args, {
      ...location.account,
      cwd: path.parse(location.cluster).root,
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

/** Program and arguments. `cluster_name` at the end contains the version and our pid. */
export function commandLine(location: ClusterLocation): [string, ...string[]] {
  const { binaries, cluster, socket, maxConnections } = location
  const settings = [
    `listen_addresses=`,
    `max_connections=${maxConnections}`,
    `unix_socket_directories="${socket.replaceAll('"', '""')}"`,
    `unix_socket_permissions=0700`,
    // Statements and rejected values contain personal data, and hostile input must not fill the disk.
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
    ...settings.flatMap((setting) => ['-c', setting]),
  ]
}

/** The environment of PostgreSQL: no secrets, locale or PG* variables, but glibc's memory settings. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { GLIBC_TUNABLES } = process.env
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...(GLIBC_TUNABLES ? { GLIBC_TUNABLES } : {}) }
}

/**
 * The postmaster of the cluster. Checks its command line, since the pid may have been reused. On Linux, all
 * reads are synchronous: when this process is about to end on a busy machine, the result of an asynchronous
 * read could come too late to stop PostgreSQL.
 */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const pid = readPid(cluster)
  const running = pid > 0 ? await readProcess(pid) : undefined
  if (!running?.command.includes(` -D ${cluster} -c `)) return undefined
  const startedBy = Number(/-(\d+)$/.exec(running.command)?.[1])
  // `cluster_name` contains the pid of the process that started it. An orphan has another parent.
  const isAttended = startedBy === running.parentPid && startedBy !== process.pid
  return { pid, command: running.command, isAttended }
}

function readPid(cluster: string): number {
  try {
    return Number.parseInt(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8'), 10)
  } catch {
    return NaN
  }
}

type Process = { parentPid: number; command: string }

async function readProcess(pid: number): Promise<Process | undefined> {
  try {
    return process.platform === 'linux' ? readProc(pid) : await readPs(pid)
  } catch {
    return undefined
  }
}

function readProc(pid: number): Process {
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The state and the parent's pid follow the program's name in parentheses, which may hold any text.
  const parentPid = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1).join(' ')
  return { parentPid, command }
}

async function readPs(pid: number): Promise<Process> {
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)])
  const [, parentPid, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(stdout.trim()) ?? []
  return { parentPid: Number(parentPid), command }
}

/** Fast shutdown, immediate shutdown, kill; each with its timeout in milliseconds. */
const SHUTDOWN_STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 3_500],
  ['SIGQUIT', 900],
  ['SIGKILL', 500],
]

/** Stops the postmaster of the cluster within five seconds. `isImmediate` skips the clean shutdown. */
export async function stopPostmaster(cluster: string, { isImmediate = false } = {}): Promise<void> {
  const running = await findPostmaster(cluster)
  if (!running) return
  for (const [signal, timeoutMs] of isImmediate ? SHUTDOWN_STEPS.slice(1) : SHUTDOWN_STEPS) {
    sendSignal(running.pid, signal)
    if (await exitsWithin(timeoutMs, cluster, running.pid)) return
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already exited.
  }
}

async function exitsWithin(timeoutMs: number, cluster: string, pid: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if ((await findPostmaster(cluster))?.pid !== pid) return true
    await pause(20)
  }
  return false
}

const MAX_LOG_BYTES = 5_000_000

async function rotateLog(log: string): Promise<void> {
  const stats = await stat(log).catch(() => undefined)
  if (stats && stats.size > MAX_LOG_BYTES) await rename(log, `${log}.old`)
}
