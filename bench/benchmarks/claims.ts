import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { submitProof } from '#contract/claims/claims.ts'
import type { Proof } from '#contract/claims/proof.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { syncCampaign } from '#server/domain/campaign/sync-campaign.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import {
  type Claimant,
  claimScript,
  findPgbench,
  type LoggedStatement,
  runPgbench,
  statementsOf,
} from './pgbench.ts'
import { inScope } from '../lifetime.ts'
import { callerAddress, rawRequest, startLoad } from '../load/load.ts'
import { type ProductNode, ROOMY_CAMPAIGN as campaign, startProduct, writeRoomyCampaign } from '../product.ts'
import { type Cell, figureRows, type Options, type Report } from '../report.ts'
import { quantile } from '../stopwatch.ts'
import { type TemporaryDatabase, withDatabase } from '../temporary-database.ts'

const PEOPLE = 1_000
const ROUNDS = 3
const NODES = 2
/** Connections in the pool of each node. */
const CONNECTIONS = 12
/** Claims that warm up the nodes and all connections, including pgbench's. They do not count. */
const WARM_UP = 1_000
const SECRET = 'a secret that both nodes share, for the benchmark'

/**
 * Measures claims accepted per second, relative to pgbench. A thousand participants from different networks
 * submit at once to two nodes, and try again after the time in Retry-After. Then pgbench sends the statements
 * of as many claims to the same PostgreSQL, over as many connections. Without pgbench (Debian:
 * postgresql-contrib), the ratio is left out. Takes 90 seconds.
 */
export function claims({ quick }: Options): Promise<Report> {
  const people = quick ? PEOPLE / 5 : PEOPLE
  return withDatabase(async (database) => {
    const pgbench = await findPgbench()
    await syncCampaign(database.db, campaign)
    const file = await writeRoomyCampaign(database.lifetime)
    const setup: Setup = { database, env: { CAMPAIGN_CONFIG: file, APP_SECRET: SECRET } }
    // One makes the claim that the log captures. In each round, as many claim at the nodes as with pgbench.
    const [captured, ...claimants] = await createClaimants(database, 1 + ROUNDS * 2 * (WARM_UP + people))
    if (!captured) throw new Error('Nobody was created.')
    const statements = await captureClaim(setup, captured)
    const takeNext = (count: number) => claimants.splice(0, count)
    const rounds: Round[] = []
    for (let count = 0; count < ROUNDS; count += 1) {
      const round: Round = await claimAtOnce(setup, takeNext(WARM_UP), takeNext(people))
      if (pgbench !== undefined) {
        const script = claimScript(statements, captured, takeNext(WARM_UP + people), NODES * CONNECTIONS)
        await runPgbench(pgbench, { ...database, script, connections: NODES * CONNECTIONS })
        round.pgbenchPerSecond = await paceOfLast(database, people)
      }
      rounds.push(round)
      await database.runAsOwner('delete from jobs', 'vacuum analyze') // as new for the next round
    }
    await assertOneClaimEach(database, 1 + ROUNDS * (pgbench === undefined ? 1 : 2) * (WARM_UP + people))
    return reportOf(people, statements, rounds)
  })
}

type Setup = { database: TemporaryDatabase; env: Record<string, string> }

async function createClaimants({ db }: TemporaryDatabase, count: number): Promise<Claimant[]> {
  const users = await createUsers(db, campaign.id, count)
  return users.map((user) => ({ ...user, proof: freshProof() }))
}

/** Makes one claim. @returns its statements, from the log of PostgreSQL. */
async function captureClaim({ database, env }: Setup, claimant: Claimant): Promise<LoggedStatement[]> {
  const role = new URL(database.url).username
  await database.runAsOwner(`alter role ${role} set log_statement = 'all'`)
  await inScope(async (scope) => submitAll([await startProduct(scope, database.url, env)], [claimant], 1))
  await database.runAsOwner(`alter role ${role} reset log_statement`, 'delete from jobs')
  return statementsOf(await database.readLog(), claimant)
}

/** The product's part of a round. Its nodes stop at the end, so that pgbench has the machine to itself. */
function claimAtOnce(
  { database, env }: Setup,
  warmUp: readonly Claimant[],
  claimants: readonly Claimant[],
): Promise<Submitted> {
  return inScope(async (scope) => {
    const nodes = await Promise.all(
      Array.from({ length: NODES }, () => startProduct(scope, database.url, env)),
    )
    // As many callers as the pool has connections, so that each connection is used.
    await submitAll(nodes, warmUp, CONNECTIONS)
    // The nodes would still be checking these claims.
    await database.runAsOwner('delete from jobs')
    // Now each claimant has a connection.
    return submitAll(nodes, claimants, claimants.length / NODES)
  })
}

type Submitted = { perSecond: number; refused: number; p50Ms: number; maxMs: number }
type Round = Submitted & { pgbenchPerSecond?: number }

/**
 * Submits a claim of each participant, alternating between the nodes.
 * @param connections the number for each node
 * @throws unless all claims were accepted in the end
 */
async function submitAll(
  nodes: readonly ProductNode[],
  claimants: readonly Claimant[],
  connections: number,
): Promise<Submitted> {
  const loads = await Promise.all(
    nodes.map(({ port }, node) => {
      const requests = claimants.filter((_, index) => index % nodes.length === node).map(requestOf)
      return startLoad({ port, connections, requests, once: true, retries: true, timeoutSeconds: 30 })
    }),
  )
  const results = await Promise.all(loads.map(({ done }) => done))
  const count = (status: string) => results.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0)
  if (count('201') !== claimants.length)
    throw new Error(`Claims were answered with ${JSON.stringify(results.map(({ statuses }) => statuses))}`)
  const latencyOfSlowerNode = (figure: 'p50' | 'max') =>
    Math.max(...results.map(({ byStatus }) => byStatus['201']?.[figure] ?? 0))
  return {
    perSecond: claimants.length / Math.max(...results.map(({ seconds }) => seconds)),
    refused: count('503'),
    p50Ms: latencyOfSlowerNode('p50'),
    maxMs: latencyOfSlowerNode('max'),
  }
}

/** Claims per second among the last `count` claims, counted from the claim before them. */
async function paceOfLast({ db }: TemporaryDatabase, count: number): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from max(submitted_at) - min(submitted_at))::float8 as seconds
    from (select submitted_at from claims order by submitted_at desc limit ${count + 1}) last`.execute(db)
  return count / (rows[0]?.seconds ?? 0)
}

let networkCount = 0

function requestOf({ token, proof }: { token: string; proof: Proof }): string {
  networkCount += 1
  return rawRequest(API_BASE + submitProof.path, { token, body: proof, from: callerAddress(networkCount) })
}

async function assertOneClaimEach({ db }: TemporaryDatabase, people: number): Promise<void> {
  const { rows } = await sql<{ claims: number; claimants: number; slots: number; taken: number }>`
    select count(*) as claims, count(distinct user_id) as claimants, count(distinct slot) as slots,
      (select slots_taken from campaigns where id = ${campaign.id}) as taken
    from claims where campaign_id = ${campaign.id}`.execute(db)
  assert.deepEqual(rows, [{ claims: people, claimants: people, slots: people, taken: people }])
}

const WHY_MISSED =
  'The load generator, the nodes with their jobs, and PostgreSQL share the cores; pgbench shares them with PostgreSQL alone. ' +
  'On a busy machine, a claim costs PostgreSQL about 4 ms of processor time and a node 1.4 ms; while its statements were planned for each claim, it cost PostgreSQL 9 to 15 ms. ' +
  'What helped: spreading Retry-After and letting a burst wait (from 96 to 207 accepted claims per second on a busy machine), running fewer jobs while requests wait (from 136 to 162 claims per second, and from 243 to 18 refusals), and warming the nodes up (the ratio from 0.43 to 0.48). What did not help: preparing every statement, including those of jobs, because a plan made while a table is small keeps reading the whole table.'

function reportOf(people: number, statements: readonly LoggedStatement[], rounds: readonly Round[]): Report {
  const median = (of: (round: Round) => number) => quantile(rounds.map(of), 0.5)
  const ratios = rounds.flatMap(({ perSecond, pgbenchPerSecond }) =>
    pgbenchPerSecond === undefined ? [] : [perSecond / pgbenchPerSecond],
  )
  const ratio = { value: quantile(ratios, 0.5), mark: { atLeast: 0.6 }, whyMissed: WHY_MISSED }
  const ifPgbench = (cell: Cell) => (ratios.length > 0 ? cell : 'needs pgbench (Debian: postgresql-contrib)')
  return {
    title: `${people.toLocaleString('en')} participants claim at once on ${NODES} nodes, with fsync`,
    rows: figureRows({
      'pgbench: claims per second': ifPgbench(median(({ pgbenchPerSecond = 0 }) => pgbenchPerSecond)),
      'accepted claims per second': median(({ perSecond }) => perSecond),
      'accepted : pgbench': ifPgbench(ratio),
      'refused with 503 and tried again': median(({ refused }) => refused),
      'from the first attempt until accepted, p50 ms': median(({ p50Ms }) => p50Ms),
      'from the first attempt until accepted, longest, ms': median(({ maxMs }) => maxMs),
    }),
    notes: [
      `pgbench sends the ${statements.length} statements that PostgreSQL logs for a claim, over ${NODES * CONNECTIONS} connections, prepared where the product prepares them, with literal values; its first ${WARM_UP.toLocaleString('en')} claims, like those of the nodes, do not count. Medians of ${ROUNDS} rounds.`,
      'Each participant was accepted exactly once, as a query confirms. Meanwhile the nodes also check the claims and send emails; load generator, nodes and database share the machine.',
    ],
  }
}
