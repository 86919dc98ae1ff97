import { type ChildProcess, execFile, type ExecFileException, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { removeEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'

export const CHECKOUT = path.resolve(import.meta.dirname, '../..')
const PROGRAMS = path.join(CHECKOUT, 'dist/server')
export const CAMPAIGN_FILE = path.join(import.meta.dirname, 'campaign.ts')

/** Nothing listens at these addresses. */
export const NO_SERVICES = {
  PRICE_API_URL: 'http://127.0.0.1:9',
  CHAIN_RPC_URL: 'http://127.0.0.1:9',
  OEMBED_URL: 'http://127.0.0.1:9',
  TELEGRAM_API_URL: 'http://127.0.0.1:9',
}

export type RunningProgram = {
  /** Empty if the program exited before it was ready. */
  url: string
  pid: number
  /** The lines of stdout and stderr so far. */
  output: string[]
  signal(name: NodeJS.Signals): void
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** A test context, or anything else that runs hooks at its end. */
export type Lifetime = { after(end: () => Promise<void>): void }

const hooks = new WeakMap<Lifetime, (() => Promise<unknown>)[]>()

/** Like `t.after`, but hooks run in reverse order: the program ends before its folder is removed. */
export function atEnd(t: Lifetime, end: () => Promise<unknown>): void {
  const registered = hooks.get(t)
  if (registered) return void registered.push(end)
  const list = [end]
  hooks.set(t, list)
  t.after(() => runHooks(list.toReversed()))
}

/** Runs all hooks in turn, even if one fails. @throws the first error. */
export async function runHooks(all: Iterable<() => Promise<unknown>>): Promise<void> {
  const errors: unknown[] = []
  for (const hook of all) await hook().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

/**
 * A new DATA_DIR, removed after the test. The pictures that a server has drawn in one are copied to the next,
 * because drawing takes two seconds of a core. The name of a picture is a hash of its content.
 */
export async function makeDataDir(t: Lifetime): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dropwright-main-'))
  const pictures = path.join(dataDir, 'pictures')
  const sharedPictures = process.env['TEST_PICTURES']
  atEnd(t, async () => {
    if (sharedPictures) await copyMissing(pictures, sharedPictures)
    await removeEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  })
  if (sharedPictures) await copyMissing(sharedPictures, pictures)
  return dataDir
}

/** Copies under another name first, so that nobody reads half a picture. */
async function copyMissing(from: string, to: string): Promise<void> {
  const [drawn, copied] = await Promise.all([namesIn(from), namesIn(to)])
  for (const name of drawn) {
    if (!name.endsWith('.png') || copied.includes(name)) continue
    const target = path.join(to, name)
    await mkdir(path.dirname(target), { recursive: true })
    const draft = `${target}.${randomUUID()}.draft`
    await cp(path.join(from, name), draft)
    await rename(draft, target)
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder, { recursive: true }).catch(() => [])

/** Runs the program on a free port. Resolves when it is ready or has exited. */
export async function startProgram(t: Lifetime, env: Record<string, string>): Promise<RunningProgram> {
  const child = spawn(process.execPath, [path.join(PROGRAMS, 'main.js')], {
    cwd: CHECKOUT,
    env: environmentWith({ PORT: '0', LOG_LEVEL: 'error', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  // Not 'exit', because output may still arrive after it.
  const exited: RunningProgram['exited'] = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  atEnd(t, async () => {
    child.kill('SIGTERM')
    await exited
  })
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output.push(line)
        const url = /^Dropwright is ready: (\S+)$/.exec(line)?.[1]
        if (url) resolve(url)
      })
    }
  })
  const url = await Promise.race([ready, exited.then(() => '')])
  return { url, pid: child.pid ?? 0, output, signal: (name) => child.kill(name), exited }
}

export type Ended = { code: number; out: string; err: string }

export type CommandName =
  | 'admin'
  | 'backup'
  | 'campaign'
  | 'doctor'
  | 'journal'
  | 'payout'
  | 'people'
  | 'restore'
  | 'seed'
  | 'settings'
  | 'webhooks'

/** The built program of a command. */
export const fileOf = (name: CommandName) => path.join(PROGRAMS, `${name}.js`)

/** Starts a command without `npm run`, which would double the time. `ended` never rejects. */
export function startCommand(
  name: CommandName,
  args: readonly string[],
  env: Record<string, string>,
): { child: ChildProcess; ended: Promise<Ended> } {
  const { promise: ended, resolve } = Promise.withResolvers<Ended>()
  const child = execFile(
    process.execPath,
    [fileOf(name), ...args],
    { cwd: CHECKOUT, env: environmentWith(env) },
    (error, out, err) => resolve({ code: error ? exitCodeOf(error) : 0, out, err }),
  )
  return { child, ended }
}

/** -1 if the process did not start or wrote too much: `code` is then a name, such as ENOENT. */
const exitCodeOf = ({ code }: ExecFileException) => (typeof code === 'number' ? code : -1)

/** Runs a command to its end. @param typed what it reads from standard input. */
export function runCommand(
  name: CommandName,
  args: readonly string[],
  env: Record<string, string>,
  typed = '',
): Promise<Ended> {
  const { child, ended } = startCommand(name, args, env)
  child.stdin?.end(typed)
  return ended
}

/** Only what a process needs to start, so that a test does not depend on the machine's environment. */
export function environmentWith(env: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, CAMPAIGN_CONFIG: CAMPAIGN_FILE, ...env }
}

/** False for zombies, because not every container reaps orphans. */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}
