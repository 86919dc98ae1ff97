import { startBareServer } from '../load/bare-server.ts'
import { compareLoads, rawRequest } from '../load/load.ts'
import type { Options, Report } from '../report.ts'
import { openScope } from '../lifetime.ts'

/** Bytes, about as many as a page of the leaderboard and the marketing page have. */
const SIZES = { small: 1_000, large: 15_000 }
const CONNECTIONS = 64

/** Measures whether the load generator is faster than anything that it loads. Takes 15 seconds. */
export async function generator({ quick }: Options): Promise<Report> {
  const scope = openScope()
  const answerOf = (bytes: number) => ({
    status: 200,
    headers: ['content-type', 'text/plain', 'content-length', String(bytes)],
    body: Buffer.alloc(bytes, 'x').toString('base64'),
  })
  const loadOf = async (bytes: number) => ({
    port: await startBareServer(scope, answerOf(bytes)),
    connections: CONNECTIONS,
    requests: [rawRequest('/')],
    warmUpSeconds: 0.5,
    seconds: quick ? 0.5 : 2,
  })
  const { small, large } = await compareLoads(3, {
    small: await loadOf(SIZES.small),
    large: await loadOf(SIZES.large),
  })
  await scope.end()
  return {
    title: `The load generator on a bare node:http server, ${CONNECTIONS} connections`,
    rows: Object.entries({ small, large }).map(([size, { perSecond, generatorBusy }]) => ({
      'size of answers': `${SIZES[size as keyof typeof SIZES] / 1_000} kB`,
      'requests/s': perSecond,
      'of a core': generatorBusy,
      'requests/s with a whole core': { value: perSecond / generatorBusy, mark: { atLeast: 50_000 } },
    })),
    notes: ['The processor time of its thread, as the kernel counts it: the generator waits for the server.'],
  }
}
