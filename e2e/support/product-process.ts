import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CampaignFile } from '#contract/campaign-file.ts'
import { CAMPAIGN_FILE, makeDataDir, runHooks } from '#server/testing/product.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** The arguments for Node to do the same as `npm start`. */
const START = [path.join(ROOT, 'tools/bootstrap.mjs'), 'start']

export type ProductOptions = {
  /** By default the campaign of the tests. */
  campaign?: CampaignFile
  /** Added to the default environment. */
  env?: Record<string, string>
  /** The arguments of Node; by default {@link START}. */
  program?: readonly string[]
}

/**
 * Prepares a product process as an operator would run it, with a data folder and a free port.
 * @param name the name of its log in `test-results`
 */
export async function prepareProduct(
  name: string,
  { campaign, env: overrides, program = START }: ProductOptions,
) {
  const port = await takePort()
  const url = `http://localhost:${port}`
  const hooks: (() => Promise<void>)[] = []
  const dataDir = await makeDataDir({ after: (hook) => void hooks.push(hook) })
  const campaignFile = campaign ? path.join(dataDir, 'campaign.json') : CAMPAIGN_FILE
  if (campaign) await writeFile(campaignFile, JSON.stringify(campaign))
  const log = path.join(ROOT, 'test-results', `${name}.log`)
  const defaults = { PORT: String(port), PUBLIC_URL: url, DATA_DIR: dataDir, CAMPAIGN_CONFIG: campaignFile }
  const env: NodeJS.ProcessEnv = { ...inheritedEnv(), ...defaults, ...overrides }
  let child: ChildProcess | undefined

  const endProcess = async (sendSignal: (pid: number) => void) => {
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    sendSignal(child.pid)
    await exited
  }
  return {
    /** PUBLIC_URL, without a trailing slash. */
    url,
    dataDir,
    /** The environment of the process, also for commands on its data. */
    env,
    /** Starts the product and waits for the ready line. @throws with the output if it does not appear. */
    async start() {
      await mkdir(path.dirname(log), { recursive: true })
      const output = createWriteStream(log, { flags: 'a' })
      const started = spawn(process.execPath, program, {
        cwd: ROOT,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        // In its own process group, for `kill`.
        detached: true,
      })
      child = started
      started.stdout.pipe(output, { end: false })
      started.stderr.pipe(output, { end: false })
      started.once('close', () => output.end())
      await waitUntilReady(started, log)
    },
    async kill() {
      // Kills the whole group. If only the parent were killed, the server would notice and shut down
      // gracefully.
      await endProcess((pid) => process.kill(-pid, 'SIGKILL'))
      while (!(await isFree(port))) await pause(25)
    },
    /** Stops the product and deletes its data. */
    async remove() {
      await endProcess((pid) => process.kill(pid, 'SIGTERM'))
      await runHooks(hooks).finally(() => takenPorts.delete(port))
    },
  }
}

export type ProductProcess = Awaited<ReturnType<typeof prepareProduct>>

/** Generous, because the first start may have to build. */
const START_TIMEOUT_MS = 240_000

async function waitUntilReady(started: ChildProcess, log: string): Promise<void> {
  let output = ''
  started.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await pause(25)) {
    if (output.includes('Dropwright is ready')) return
    if (started.exitCode !== null || started.signalCode !== null) break
  }
  throw new Error(`The product did not become ready:\n${await readFile(log, 'utf8')}`)
}

/** Only what the product needs: other variables of this shell must not affect it. */
function inheritedEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, GLIBC_TUNABLES, npm_lifecycle_event } = process.env
  return { PATH, HOME, TMPDIR, GLIBC_TUNABLES, npm_lifecycle_event }
}

/** The ranges of ports end at 31,999; ephemeral ports begin at 32,768. */
const LOWEST_PORT = 20_000
const PORT_RANGES = 600
const PORTS_PER_WORKER = 20
const MAX_WORKERS = 8

const takenPorts = new Set<number>()

/**
 * Takes a free port below the ephemeral ports, which the system might give to another program before the
 * product listens. A worker takes the first free port of its range, so that successive products have the same
 * address. They can then share the cached share pictures, which show the address.
 */
async function takePort(): Promise<number> {
  const worker = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
  const range = (process.ppid * MAX_WORKERS + worker) % PORT_RANGES // The parent is the test runner.
  const first = LOWEST_PORT + range * PORTS_PER_WORKER
  for (let port = first; ; port += 1) {
    if (takenPorts.has(port) || !(await isFree(port))) continue
    takenPorts.add(port)
    return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listens) await new Promise((closed) => server.close(closed))
  return listens
}
