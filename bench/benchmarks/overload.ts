import campaign from '#server/testing/campaign.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { callerAddress, type LoadResult, rawRequest, runLoad } from '../load/load.ts'
import { startProduct } from '../product.ts'
import type { Options, Report, Row } from '../report.ts'
import { withDatabase } from '../temporary-database.ts'

const PEOPLE = 500
const NETWORKS = 10_000
/**
 * In a closed loop, each connection waits for an answer before the next request; an open loop keeps its rate.
 * `open` is small enough that even half the load uses each connection within ten seconds: the server closes
 * connections that have sent nothing by then.
 */
const CONNECTIONS = { closed: 64, open: 1_000 }
const SECONDS = { capacity: 10, half: 10, double: 60 }
/** Multiples of the capacity. */
const FACTORS = { half: 0.5, double: 2 }

/**
 * Sends twice the load that the server can carry, for a minute, in an open loop: latencies count from the
 * moment a request was due. Participants from ten thousand networks open their profile, their claim and a
 * page of the leaderboard. No answer comes from memory. Takes two minutes.
 */
export function overload({ quick }: Options): Promise<Report> {
  const shorten = (seconds: number) => (quick ? seconds / 5 : seconds)
  return withDatabase(async ({ db, url, runAsOwner, lifetime }) => {
    const { port } = await startProduct(lifetime, url)
    const people = await createUsers(db, campaign.id, PEOPLE)
    await runAsOwner('vacuum analyze')
    const requests = requestsOf(people.map(({ token }) => token))
    const carried = await runLoad({
      port,
      requests,
      connections: CONNECTIONS.closed,
      warmUpSeconds: 3,
      seconds: shorten(SECONDS.capacity),
    })
    const capacity = perSecond(carried, '200')
    const loadBy = (factor: number, seconds: number) =>
      runLoad({
        port,
        requests,
        connections: CONNECTIONS.open,
        rate: factor * capacity,
        seconds: shorten(seconds),
      })
    const before = await loadBy(FACTORS.half, SECONDS.half)
    const doubled = await loadBy(FACTORS.double, SECONDS.double)
    const after = await loadBy(FACTORS.half, SECONDS.half)
    return {
      title: `Twice the capacity for ${shorten(SECONDS.double)} s, open loop`,
      rows: [
        row(`capacity: ${CONNECTIONS.closed} connections, closed loop`, carried, carried.perSecond),
        row('half of it, before', before, FACTORS.half * capacity),
        {
          ...row('twice the capacity', doubled, FACTORS.double * capacity),
          'p99 accepted, ms': { value: accepted(doubled).p99, mark: { atMost: 1_000 } },
        },
        {
          ...row('half of it, at once afterwards', after, FACTORS.half * capacity),
          'refused/s': { value: perSecond(after, '503'), mark: { atMost: 0 } },
        },
      ],
      notes: [
        'Accepted: 200; refused: 503 with Retry-After. A latency counts from the moment a request was due, including the wait for a connection.',
        'Load generator, database and product share the machine; the generator’s share grows with the refusals.',
      ],
    }
  })
}

function requestsOf(tokens: readonly string[]): string[] {
  const paths = ['/api/v1/users/profile', '/api/v1/tasks/mine', '/api/v1/users/leaderboard']
  return Array.from({ length: NETWORKS }, (_, number) => {
    const path = paths[number % paths.length] ?? ''
    const from = callerAddress(number)
    if (path.endsWith('leaderboard'))
      return rawRequest(`${path}?page=${1 + (number % PEOPLE)}&limit=1`, { from })
    return rawRequest(path, { from, token: tokens[number % tokens.length] })
  })
}

const accepted = ({ byStatus }: LoadResult) => byStatus['200'] ?? { p50: 0, p99: 0, max: 0 }
const perSecond = ({ statuses, seconds }: LoadResult, status: string) => (statuses[status] ?? 0) / seconds

function row(what: string, result: LoadResult, offered: number): Row {
  const { '200': ok = 0, '503': refused = 0, ...others } = result.statuses
  const failed = Object.values(others).reduce((sum, count) => sum + count, 0)
  return {
    what,
    'offered/s': Math.round(offered),
    'accepted/s': Math.round(ok / result.seconds),
    'refused/s': Math.round(refused / result.seconds),
    'failed or unsent': failed + result.unsent,
    'p50 accepted, ms': accepted(result).p50,
    'p99 accepted, ms': accepted(result).p99,
    'p99 refused, ms': result.byStatus['503']?.p99 ?? 0,
    'generator busy': result.generatorBusy,
  }
}
