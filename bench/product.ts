import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { CampaignFile } from '#contract/campaign-file.ts'
import campaign from '#server/testing/campaign.ts'
import { CAMPAIGN_FILE, type Lifetime, makeDataDir, NO_SERVICES } from '#server/testing/product.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'

const CHECKOUT = path.resolve(import.meta.dirname, '..')
const LOG_POLL_MS = 5
/** The variables that `npm start` passes to the program (tools/bootstrap.mjs). */
const INHERITED =
  'PATH HOME NODE_COMPILE_CACHE UV_THREADPOOL_SIZE NODE_OPTIONS MALLOC_ARENA_MAX GLIBC_TUNABLES'.split(' ')

export type ProductNode = {
  url: string
  port: number
  pid: number
  /** Milliseconds until it was ready, exact to LOG_POLL_MS. */
  startMs: number
  readLog: () => Promise<string>
}

/**
 * Starts the product on a database. It trusts the client addresses that the load claims to have. It logs as
 * much as in production, but to a file, because reading a pipe would take processor time from the load.
 * @throws with the output if the product exits before it is ready
 */
export async function startProduct(
  lifetime: Lifetime,
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<ProductNode> {
  const dataDir = await makeDataDir(lifetime)
  const logFile = path.join(dataDir, 'output.log')
  const log = await open(logFile, 'a')
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: CHECKOUT,
    env: {
      ...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
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

/** The campaign of the tests, with more slots than any benchmark claims. */
export const ROOMY_CAMPAIGN: CampaignFile = {
  ...campaign,
  airdrop: { ...campaign.airdrop, slots: 1_000_000 },
}

/** Writes {@link ROOMY_CAMPAIGN} to a file, for `CAMPAIGN_CONFIG`. @returns its path. */
export async function writeRoomyCampaign(lifetime: Lifetime): Promise<string> {
  const file = path.join(await scratchFolder(lifetime), 'campaign.json')
  await writeFile(file, JSON.stringify(ROOMY_CAMPAIGN))
  return file
}

/** The resident memory of a process in MB. Linux only. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
