import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { makeDataDir } from '#server/testing/product.ts'
import { inScope, type Scope } from '../lifetime.ts'
import { callerAddress, rawRequest, runLoad } from '../load/load.ts'
import { residentMb } from '../product.ts'
import { figureRows, type Options, type Report } from '../report.ts'
import { quantile } from '../stopwatch.ts'

const CHECKOUT = path.resolve(import.meta.dirname, '../..')
const STARTS = 5
/** A node collects its garbage about five seconds after its start, so even `quickRest` is longer. */
const SECONDS = { drawing: 20, rest: 30, quickRest: 15, load: 30, quickLoad: 5 }

/**
 * Measures `npm start` with its own database: the seconds until it is ready, and the resident memory of the
 * node, at rest and after a load on the public pages and API. The first start does not count, because it
 * creates the database. Takes two minutes.
 */
export function start({ quick }: Options): Promise<Report> {
  return inScope(async (scope) => {
    const dataDir = await makeDataDir(scope)
    const first = await npmStart(dataDir, scope)
    // Waits until the first start has drawn the share pictures. Later starts need no worker to draw them.
    await pause(SECONDS.drawing * 1_000)
    await first.stop()

    const times: number[] = []
    for (let count = 0; count < STARTS; count += 1) {
      const { ms, stop } = await npmStart(dataDir, scope)
      times.push(ms / 1_000)
      await stop()
    }

    const node = await npmStart(dataDir, scope)
    await pause((quick ? SECONDS.quickRest : SECONDS.rest) * 1_000)
    const atRest = await residentMb(node.pid)
    const seconds = quick ? SECONDS.quickLoad : SECONDS.load
    const load = await runLoad({ port: node.port, connections: 64, requests: publicRequests(), seconds })
    const afterLoad = await residentMb(node.pid)
    const requestCount = Math.round(load.perSecond * load.seconds).toLocaleString('en')
    return {
      title: 'A warm start, and the memory of a node',
      rows: figureRows({
        '`npm start` to ready, s': { value: quantile(times, 0.5), mark: { atMost: 2 } },
        [`slowest of ${STARTS}, s`]: Math.max(...times),
        'resident at rest, MB': { value: atRest, mark: { atMost: 130 } },
        [`after ${requestCount} requests, MB`]: { value: afterLoad, mark: { atMost: 220 } },
      }),
      notes: [
        `The median of ${STARTS} starts, npm included; memory without that of npm and PostgreSQL. About 60 MB of it are the pages of the Node binary, which all nodes of a machine share.`,
      ],
    }
  })
}

type Started = { ms: number; port: number; pid: number; stop: () => Promise<void> }

/** Runs `npm start` and waits until it is ready. The end of the scope stops it. */
async function npmStart(dataDir: string, scope: Scope): Promise<Started> {
  const { PATH = '', HOME = '' } = process.env
  const startedAt = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: CHECKOUT,
    env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info', TRUST_PROXY: 'loopback' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    // npm forwards the signal, and ends after the node.
    child.kill()
    await exited
  }
  scope.after(stop)
  let pid = 0
  for await (const line of createInterface({ input: child.stdout })) {
    // Only the node logs in JSON, with its pid.
    if (line.startsWith('{')) pid ||= (JSON.parse(line) as { pid: number }).pid
    const url = /^Dropwright is ready: (\S+)$/.exec(line)?.[1]
    if (url === undefined) continue
    const ms = performance.now() - startedAt
    // Discards the other output, because a full pipe would block the node.
    child.stdout.resume()
    if (pid === 0) throw new Error('npm start was ready before it logged anything.')
    return { ms, port: Number(new URL(url).port), pid, stop }
  }
  throw new Error('npm start ended before it was ready.')
}

function publicRequests(): string[] {
  const paths = ['/', '/about', '/tokenomics', '/howtobuy', '/api/v1/campaign', '/api/v1/users/leaderboard']
  return Array.from({ length: 3_000 }, (_, number) =>
    rawRequest(paths[number % paths.length] ?? '/', { from: callerAddress(number) }),
  )
}
