import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { removeEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const BOOTSTRAP = path.join(ROOT, 'tools/bootstrap.mjs')

/** The product as an operator has it: a folder of data, an address, a process and the admin command. */
export type Operated = {
  /** PUBLIC_URL, without a slash at the end. */
  url: string
  dataDir: string
  /** The environment of its processes. */
  settings: NodeJS.ProcessEnv
  /** Starts it and waits for the ready line. @throws with what it printed, if it ends instead. */
  start: () => Promise<void>
  /** SIGTERM, as a service manager does it; the exit code. */
  stop: () => Promise<number | null>
  /** kill -9: nothing is said, nothing is tidied. */
  kill: () => Promise<void>
  /** `npm run admin -- create`. */
  createAdmin: (who: { username: string; email: string; password: string }) => Promise<void>
  /** Stops it and deletes its data. */
  remove: () => Promise<void>
}

/** A product of its own on a free port; `env` comes over the environment it starts with. */
export async function operate(name: string, env: Record<string, string>): Promise<Operated> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dropwright-e2e-'))
  const log = path.join(ROOT, 'test-results', `${name}.log`)
  const settings = { ...inherited(), PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, ...env }
  let process_: ChildProcess | undefined

  const end = async (signal: NodeJS.Signals) => {
    const running = process_
    if (!running || running.exitCode !== null || running.signalCode !== null) return null
    const exited = once(running, 'exit')
    running.kill(signal)
    await exited
    return running.exitCode
  }
  const operated: Operated = {
    url,
    dataDir,
    settings,
    async start() {
      await mkdir(path.dirname(log), { recursive: true })
      const output = createWriteStream(log, { flags: 'a' })
      const started = spawn(process.execPath, [BOOTSTRAP, 'start'], {
        cwd: ROOT,
        env: settings,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      process_ = started
      started.stdout.pipe(output, { end: false })
      started.stderr.pipe(output, { end: false })
      await ready(started, log)
    },
    stop: () => end('SIGTERM'),
    async kill() {
      await end('SIGKILL')
    },
    async createAdmin({ username, email, password }) {
      const args = [BOOTSTRAP, 'admin', 'create', '--email', email, '--username', username]
      const options = { cwd: ROOT, env: { ...settings, ADMIN_PASSWORD: password } }
      await promisify(execFile)(process.execPath, args, options)
    },
    async remove() {
      await end('SIGTERM')
      await removeEmbeddedPostgres(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return operated
}

/** Long, because the first start on a machine may have to build. */
const PATIENCE = 90_000

async function ready(started: ChildProcess, log: string): Promise<void> {
  let said = ''
  started.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await pause(25)) {
    if (said.includes('Dropwright is ready')) return
    if (started.exitCode !== null || started.signalCode !== null) break
  }
  throw new Error(`The product did not become ready:\n${await readFile(log, 'utf8')}`)
}

/** What this shell has set for its own product is none of the tests' business. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, npm_lifecycle_event } = process.env
  return { PATH, HOME, TMPDIR, npm_lifecycle_event }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
