import campaign from '#server/testing/campaign.ts'
import type { Lifetime } from '#server/testing/product.ts'
import { ROUTES } from '#web/routes.ts'
import { type Answer, recordAnswer, startBareServer } from '../load/bare-server.ts'
import { compareLoads, type LoadResult, rawRequest } from '../load/load.ts'
import { startNginx } from '../load/nginx.ts'
import { participantsWithPoints } from './board.ts'
import { type ProductNode, startProduct } from '../product.ts'
import { type Options, type Report, type Row, shortNumber } from '../report.ts'
import { withDatabase } from '../temporary-database.ts'

const CONNECTIONS = 64
/** The product's requests/s divided by the other server's must be at least this. */
const MIN_RATIO = { bare: 0.7, nginx: 0.4 }

type Headers = Record<string, string>
const BROTLI: Headers = { 'accept-encoding': 'br' }
/** The answer is 304 Not Modified. */
const UNCHANGED: Headers = { ...BROTLI, 'if-none-match': '*' }
const PATHS: Record<string, string> = {
  'marketing page': ROUTES.home.path,
  'leaderboard page 1': '/api/v1/users/leaderboard',
  campaign: '/api/v1/campaign',
  price: `/api/v1/latest/dex/tokens/${campaign.token.contract}`,
}

/**
 * Compares public answers of the whole product, which it keeps in memory, with a bare `node:http` that sends
 * the same bytes and headers, and the marketing page with nginx, which sends the same compressed file. Takes
 * seven minutes, of which four create a million participants. Takes one minute with `--quick`.
 */
export function answers({ quick }: Options): Promise<Report> {
  const people = quick ? 10_000 : 1_000_000
  return withDatabase(async ({ url, runAsOwner, lifetime }) => {
    await runAsOwner(...participantsWithPoints(people), 'vacuum analyze')
    const node = await startProduct(lifetime, url)
    await waitForPictures(node)
    const contest = { node, lifetime, quick }
    const rows: Row[] = []
    for (const [what, path] of Object.entries(PATHS)) {
      rows.push(await compareWithBare(what, path, BROTLI, contest))
      rows.push(await compareWithBare(`${what}, unchanged`, path, UNCHANGED, contest))
    }
    rows.push(await compareWithNginx('marketing page', ROUTES.home.path, contest))
    return {
      title: `Public answers with ${shortNumber(people)} participants, ${CONNECTIONS} connections, log on`,
      rows,
      notes: [
        'Against a bare node:http server in a process of its own that sends the same status, headers and bytes and does not log.',
        'nginx: one worker that logs, with the same headers and the same compressed file.',
        'Medians of rounds that alternate between the servers. Where the load of the generator is near 1, the generator was the bottleneck.',
      ],
    }
  })
}

type Contest = { node: ProductNode; lifetime: Lifetime; quick: boolean }

async function compareWithBare(what: string, path: string, headers: Headers, contest: Contest): Promise<Row> {
  const answer = await recordAnswer(contest.node.port, path, headers)
  const port = await startBareServer(contest.lifetime, answer)
  return rowOf(what, 'node:http', answer, MIN_RATIO.bare, await race(port, path, headers, contest))
}

async function compareWithNginx(what: string, path: string, contest: Contest): Promise<Row> {
  const answer = await recordAnswer(contest.node.port, path, BROTLI)
  const port = await startNginx(contest.lifetime, answer)
  if (port === undefined) return { what, against: 'nginx is not installed (apt-get install nginx-light)' }
  const nginxAnswer = await recordAnswer(port, path, BROTLI)
  if (nginxAnswer.body !== answer.body) throw new Error('nginx serves something else.')
  return rowOf(what, 'nginx', answer, MIN_RATIO.nginx, await race(port, path, BROTLI, contest))
}

type Raced = { product: LoadResult; other: LoadResult }

function race(otherPort: number, path: string, headers: Headers, { node, quick }: Contest): Promise<Raced> {
  const loadOf = (port: number) => ({
    port,
    connections: CONNECTIONS,
    requests: [rawRequest(path, { headers })],
    warmUpSeconds: 0.5,
    seconds: quick ? 0.5 : 1,
  })
  const rounds = quick ? 3 : 9
  return compareLoads(rounds, { other: loadOf(otherPort), product: loadOf(node.port) })
}

function rowOf(what: string, against: string, answer: Answer, minRatio: number, { product, other }: Raced) {
  for (const { statuses } of [product, other])
    if (Object.keys(statuses).join() !== String(answer.status))
      throw new Error(`${what}: ${JSON.stringify(statuses)} instead of ${answer.status}`)
  return {
    what,
    against,
    bytes: Buffer.byteLength(answer.body, 'base64'),
    'its requests/s': other.perSecond,
    'ours/s': product.perSecond,
    ratio: { value: product.perSecond / other.perSecond, mark: { atLeast: minRatio } },
    'p50, ms': product.p50,
    'p99, ms': product.p99,
    generator: Math.max(product.generatorBusy, other.generatorBusy),
  }
}

const ICONS = ['/icon-192.png', '/icon-512.png', '/icon-maskable-512.png', '/apple-touch-icon.png']

/** After a start, drawing the pictures takes a core for some seconds, which would slow the first rounds. */
async function waitForPictures({ url }: ProductNode): Promise<void> {
  const pages = await Promise.all(
    Object.values(ROUTES).map(async ({ path }) => (await fetch(url + path)).text()),
  )
  const sharePictures = pages.flatMap((page) => /(?<=")[^"]*\/pictures\/[^"]*(?=")/.exec(page) ?? [])
  for (const picture of [...sharePictures.map((address) => new URL(address).pathname), ...ICONS]) {
    const { status } = await fetch(url + picture)
    if (status !== 200) throw new Error(`${picture}: ${status}`)
  }
}
