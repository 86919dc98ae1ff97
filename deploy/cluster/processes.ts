import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Account } from '#server/platform/database/embedded/cluster-location.ts'
import { inFolder } from './settings.ts'

/** `startedAt`: distinguishes the process from a later one with the same id. */
type Started = { name: string; pid: number; startedAt: string }

type Program = {
  name: string
  command: [program: string, ...args: string[]]
  account?: Account | undefined
  env?: Record<string, string>
}

const recordFile = () => inFolder('processes.json')

/** Starts a process that outlives this one. Its output goes to `log/NAME.log`. */
export async function start({ name, command, account, env = {} }: Program): Promise<void> {
  const log = await open(inFolder('log', `${name}.log`), 'a')
  const [program, ...args] = command
  const child = spawn(program, args, {
    ...account,
    cwd: inFolder(),
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: inFolder(), LC_ALL: 'C.UTF-8', ...env },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  await once(child, 'spawn')
  await log.close()
  child.unref()
  const pid = child.pid ?? 0
  const others = (await readStarted()).filter((other) => other.name !== name)
  await writeFile(recordFile(), JSON.stringify([...others, { name, pid, startedAt: startTimeOf(pid) }]))
}

/** The running processes that `up` has started, in the order of their start. */
export async function listRunning(): Promise<Started[]> {
  return (await readStarted()).filter(isRunning)
}

async function readStarted(): Promise<Started[]> {
  const record = await readFile(recordFile(), 'utf8').catch(() => '[]')
  return JSON.parse(record) as Started[]
}

const isRunning = ({ pid, startedAt }: Started) => startedAt !== '' && startTimeOf(pid) === startedAt

/** The index of `starttime` in /proc/PID/stat, counted from the field after `state` (man proc_pid_stat). */
const START_TIME = 18

/** When a process started, in clock ticks since the boot; empty if it does not run. */
function startTimeOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...rest] = status.slice(status.lastIndexOf(')') + 2).split(' ')
    // In a container, a zombie may never be removed.
    return state === 'Z' ? '' : (rest[START_TIME] ?? '')
  } catch {
    return ''
  }
}

export async function pidOf(name: string): Promise<number> {
  const started = await findRunning(name)
  if (!started) throw new Error(`${name} is not running: npm run cluster -- up`)
  return started.pid
}

const findRunning = async (name: string) => (await listRunning()).find((started) => started.name === name)

/** A process that has not stopped after this time is killed. */
const TIMEOUT_MS = 20_000

export async function stop(name: string): Promise<void> {
  const started = await findRunning(name)
  if (!started) return
  signal(started.pid, 'SIGTERM')
  // A suspended process cannot stop.
  signal(started.pid, 'SIGCONT')
  for (let waited = 0; waited < TIMEOUT_MS; waited += 50) {
    if (!isRunning(started)) return
    await pause(50)
  }
  signal(started.pid, 'SIGKILL')
}

/** Ignores that the process may already have ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
