import { Agent, get } from 'node:http'
import { mkdir } from 'node:fs/promises'
import { campaign } from '#contract/campaign.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import { tokenPairs } from '#contract/market.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import testCampaign from '#server/testing/campaign.ts'
import type { Row } from '../../bench/report.ts'
import { httpGet, until } from './query.ts'
import { PROGRAMS } from './packages.ts'
import { start, stop } from './processes.ts'
import { ADDRESS, inFolder, ORIGIN, PORTS, renderTo } from './settings.ts'
import { readCounts } from './watch.ts'

const VISITORS = 32
/** What pages request again and again. */
const PUBLIC_PATHS = [
  campaign.path,
  tokenPairs.path.replace(':contract', testCampaign.token.contract),
  ...[1, 2, 3, 4, 5].map((page) => `${leaderboard.path}?page=${page}&limit=10`),
].map((path) => API_BASE + path)

/** Measures how many requests reach the nodes through a cache that obeys the headers, like a CDN. */
export async function benchCache(durationMs: number): Promise<Row> {
  await mkdir(inFolder('nginx-tmp'), { recursive: true })
  const file = await renderTo('nginx.conf', 'nginx.conf', {})
  await start({ name: 'nginx', command: [PROGRAMS['nginx-light'], '-c', file, '-g', 'daemon off;'] })
  try {
    await until('the cache', async () => (await httpGet(PORTS.cache, '/healthz')).resume().statusCode === 200)
    const before = await countRequestsAtNodes()
    const answered = await visit(durationMs)
    const reached = (await countRequestsAtNodes()) - before
    return {
      what: 'public answers behind a cache',
      seen: `${answered} answered in ${durationMs / 1_000} s, of which ${reached} reached a node (${((reached / answered) * 100).toFixed(2)} %)`,
    }
  } finally {
    await stop('nginx')
  }
}

/** HAProxy counts the requests to all nodes as those to `BACKEND`. */
const countRequestsAtNodes = async () => (await readCounts('nodes')).get('BACKEND')?.requests ?? 0

/** @returns the number of answers with status 200. */
async function visit(durationMs: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: VISITORS })
  const end = performance.now() + durationMs
  let answered = 0
  const visitor = async (index: number) => {
    for (let turn = index; performance.now() < end; turn += 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const path = PUBLIC_PATHS[turn % PUBLIC_PATHS.length] ?? '/'
      const headers = { host: new URL(ORIGIN).host }
      const call = get({ host: ADDRESS, port: PORTS.cache, path, agent, headers }, (response) => {
        if (response.statusCode === 200) answered += 1
        response.resume().on('close', resolve)
      })
      call.on('error', () => resolve())
      await promise
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, (_, index) => visitor(index)))
  agent.destroy()
  return answered
}
