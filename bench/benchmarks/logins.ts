import { argon2 } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import campaign from '#server/testing/campaign.ts'
import { createPasswordHasher } from '#server/platform/passwords/password-hash.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { callerAddress, type LoadResult, rawRequest, startLoad } from '../load/load.ts'
import { startProduct } from '../product.ts'
import { figureRows, type Options, type Report, type Row } from '../report.ts'
import { quantile } from '../stopwatch.ts'
import { withDatabase } from '../temporary-database.ts'

const PEOPLE_PER_ROUND = 1_333
const PASSWORD = 'correct horse battery staple'
/** The product's parameters of argon2id (password-hash.ts). The memory is in KiB. */
const PARAMETERS = { memory: 47_104, passes: 1, parallelism: 1, tagLength: 32 }
/** As many logins as may wait for a hash. The product refuses more. */
const CONNECTIONS = 32
/** In a range that is reserved for benchmarks, and never returned by `callerAddress`. */
const PROBE_ADDRESS = '198.19.0.1'
const ROUNDS = 3
const SECONDS = 10
/** How long the logins run before the probes begin. */
const HEAD_START_MS = 500
const argon2id = promisify(argon2)

/**
 * Measures logins per second when everybody logs in at once, relative to argon2id alone on the same cores.
 * Also measures the health check and the leaderboard meanwhile. Rounds of argon2id alone and of logins
 * alternate. Takes a minute and a half.
 */
export function logins({ quick }: Options): Promise<Report> {
  const seconds = quick ? 3 : SECONDS
  return withDatabase(async ({ db, url, runAsOwner, lifetime }) => {
    const { port } = await startProduct(lifetime, url)
    const people = await createUsers(db, campaign.id, ROUNDS * PEOPLE_PER_ROUND)
    const hash = await createPasswordHasher().hash(PASSWORD)
    await runAsOwner(`update users set password_hash = '${hash}'`, 'vacuum analyze')
    const requests = people.map(({ email }, number) =>
      rawRequest('/api/v1/users/login', {
        body: { email, password: PASSWORD },
        from: callerAddress(number),
      }),
    )
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const hashes = await hashesPerSecond(seconds)
      // Other people in each round, because an account may log in only sixty times an hour.
      const loginsOfRound = requests.slice(round * PEOPLE_PER_ROUND, (round + 1) * PEOPLE_PER_ROUND)
      rounds.push({ hashes, ...(await logInAll(port, loginsOfRound, seconds)) })
    }
    return {
      title: `Everybody logs in at once: ${CONNECTIONS} connections, a network for each login`,
      rows: rowsOf(rounds),
      notes: [
        `argon2id alone: ${availableParallelism()} at once, with the parameters of the product (46 MiB, one pass). Medians of ${ROUNDS} rounds.`,
        'A login is one such hash, seven statements, and three commits to disk. The probes are open loop, 20 a second each, on connections of their own.',
      ],
    }
  })
}

/** `hashes` of argon2id alone, `logins` and `refused` are per second. The probes ran during the logins. */
type Round = { hashes: number; logins: number; refused: number; health: LoadResult; board: LoadResult }

function rowsOf(rounds: readonly Round[]): Row[] {
  const median = (of: (round: Round) => number) => quantile(rounds.map(of), 0.5)
  return figureRows({
    'argon2id alone, per second': median(({ hashes }) => hashes),
    'logins per second': median((round) => round.logins),
    'logins : argon2id alone': {
      value: median((round) => round.logins / round.hashes),
      mark: { atLeast: 0.9 },
    },
    'refused per second': median(({ refused }) => refused),
    '/healthz meanwhile, p99 ms': { value: median(({ health }) => health.p99), mark: { atMost: 50 } },
    'leaderboard meanwhile, p99 ms': { value: median(({ board }) => board.p99), mark: { atMost: 50 } },
  })
}

async function hashesPerSecond(seconds: number): Promise<number> {
  const startedAt = performance.now()
  let hashes = 0
  const hashRepeatedly = async () => {
    for (; performance.now() < startedAt + seconds * 1_000; hashes += 1)
      await argon2id('argon2id', { message: PASSWORD, nonce: Buffer.alloc(16, 1), ...PARAMETERS })
  }
  await Promise.all(Array.from({ length: availableParallelism() }, hashRepeatedly))
  return (hashes * 1_000) / (performance.now() - startedAt)
}

async function logInAll(port: number, requests: readonly string[], seconds: number) {
  const probe = (path: string) => {
    const request = rawRequest(path, { from: PROBE_ADDRESS })
    return startLoad({ port, connections: 4, requests: [request], rate: 20, seconds })
  }
  const load = await startLoad({ port, connections: CONNECTIONS, requests })
  await pause(HEAD_START_MS)
  const [health, board] = await Promise.all([probe('/healthz'), probe('/api/v1/users/leaderboard')])
  const probed = { health: await health.done, board: await board.done }
  const { statuses, seconds: elapsed } = await load.stop()
  return {
    ...probed,
    logins: (statuses['200'] ?? 0) / elapsed,
    refused: (statuses['503'] ?? 0) / elapsed,
  }
}
