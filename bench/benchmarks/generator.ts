import { startBareServer } from '../load/bare-server.ts'
import { compareLoads, rawRequest } from '../load/load.ts'
import type { Options, Report } from '../report.ts'
import { inScope, type Scope } from '../lifetime.ts'

const CONNECTIONS = 64
const ROUNDS = 3

/** Measures whether the load generator is faster than the servers that it measures. Takes 15 seconds. */
export async function generator({ quick }: Options): Promise<Report> {
  const answerOf = (bytes: number) => ({
    status: 200,
    headers: ['content-type', 'text/plain', 'content-length', String(bytes)],
    body: Buffer.alloc(bytes, 'x').toString('base64'),
  })
  const loadOf = async (scope: Scope, bytes: number) => ({
    port: await startBareServer(scope, answerOf(bytes)),
    connections: CONNECTIONS,
    requests: [rawRequest('/')],
    warmUpSeconds: 0.5,
    seconds: quick ? 0.5 : 2,
  })
  // About the sizes of a leaderboard page and of the marketing page.
  const results = await inScope(async (scope) =>
    compareLoads(ROUNDS, { '1 kB': await loadOf(scope, 1_000), '15 kB': await loadOf(scope, 15_000) }),
  )
  return {
    title: `The load generator on a bare node:http server, ${CONNECTIONS} connections`,
    rows: Object.entries(results).map(([size, { perSecond, generatorBusy }]) => ({
      'size of answers': size,
      'requests/s': perSecond,
      'of a core': generatorBusy,
      'requests/s with a whole core': { value: perSecond / generatorBusy, mark: { atLeast: 50_000 } },
    })),
    notes: ['The processor time of its thread, as the kernel counts it: the generator waits for the server.'],
  }
}
