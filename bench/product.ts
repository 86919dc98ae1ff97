import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { CAMPAIGN_FILE, type Lifetime, makeDataDir, NO_SERVICES } from '#server/testing/product.ts'

const CHECKOUT = path.resolve(import.meta.dirname, '..')
const LOG_POLL_MS = 5

/** A process of the product that is ready to serve. */
export type ProductNode = {
  url: string
  port: number
  pid: number
  /** Milliseconds from spawn to ready, to within LOG_POLL_MS. */
  startMs: number
  readLog: () => Promise<string>
}

/**
 * Starts the product on a database. It trusts forwarded addresses, which the load makes up. It logs as
 * much as in production, but to a file: reading a pipe would take processor time from the load.
 * @throws with its output when it exits instead of getting ready.
 */
export async function startProduct(
  lifetime: Lifetime,
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ProductNode> {
  const dataDir = await makeDataDir(lifetime)
  const logFile = path.join(dataDir, 'output.log')
  const log = await open(logFile, 'a')
  // What `npm start` gives the program (tools/bootstrap.mjs), and nothing else of this machine's environment.
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '', UV_THREADPOOL_SIZE = '' } = process.env
  const { NODE_OPTIONS = '', MALLOC_ARENA_MAX = '', GLIBC_TUNABLES = '' } = process.env
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: CHECKOUT,
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      UV_THREADPOOL_SIZE,
      NODE_OPTIONS,
      MALLOC_ARENA_MAX,
      GLIBC_TUNABLES,
      PORT: '0',
      CAMPAIGN_CONFIG: CAMPAIGN_FILE,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      TRUST_PROXY: 'loopback',
      ...NO_SERVICES,
      ...env,
    },
    stdio: ['ignore', log.fd, log.fd],
  })
  await log.close()
  const exited = once(child, 'exit')
  lifetime.after(async () => {
    child.kill()
    await exited
  })
  const readLog = () => readFile(logFile, 'utf8')
  for (;;) {
    const url = /^Dropwright is ready: (\S+)$/m.exec(await readLog())?.[1]
    const startMs = performance.now() - startedAt
    if (url !== undefined)
      return { url, port: Number(new URL(url).port), pid: child.pid ?? 0, startMs, readLog }
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(await readLog())
    await pause(LOG_POLL_MS)
  }
}

/** The resident memory of a process in MB. Linux only. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
