import assert from 'node:assert/strict'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { submitProof } from '#contract/claims/claims.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import { EVENTS_PATH } from '#contract/events.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import testCampaign from '#server/testing/campaign.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { type Database, openDatabase, openPool } from '#server/platform/database/database.ts'
import { asTable, type Row } from '../../bench/report.ts'
import { quantile } from '../../bench/stopwatch.ts'
import { queryAt, queryPrimary, httpGet } from './query.ts'
import { benchCache } from './cache.ts'
import { isFailed, percentile, type Sample, callAndSample, startLoad } from './load.ts'
import { MEMBERS, ownerUrl, portOf, PORTS, readSecrets, type Secrets, superuserUrl } from './settings.ts'
import { readCounts, findPrimary, countPublicReads } from './watch.ts'

const STEP_MS = 10_000
const CLAIMANTS = 48
/** More than can claim in a step. */
const PEOPLE = 6_000

/**
 * `npm run cluster -- bench`: measures the cluster while nothing is broken. Takes about a minute and a half.
 * Everything shares the cores of one machine, so rates predict nothing. Proportions and sizes do.
 */
export async function bench(): Promise<void> {
  const secrets = await readSecrets()
  const pool = openPool(ownerUrl(secrets), { timeoutMs: 60_000 })
  try {
    const db = openDatabase(pool)
    const rows: Row[] = []
    const steps = [measureBalance, measureLag, measureAnnouncements, measureClaims]
    for (const step of steps) rows.push(await step(db, secrets))
    rows.push(await benchCache(STEP_MS))
    console.log(asTable(rows))
  } finally {
    await pool.end()
  }
}

/** Counts the calls of each node, and the public reads that a replica answers. */
async function measureBalance(db: Database): Promise<Row> {
  const load = await startLoad(db)
  const before = { calls: await readCounts('nodes'), reads: await countPublicReads() }
  await pause(STEP_MS)
  await load.stop()
  const after = { calls: await readCounts('nodes'), reads: await countPublicReads() }
  const perNode = MEMBERS.map(
    (member) => (after.calls.get(member)?.requests ?? 0) - (before.calls.get(member)?.requests ?? 0),
  )
  const replica = after.reads.replica - before.reads.replica
  const primary = after.reads.primary - before.reads.primary
  assert.equal(load.samples.filter(isFailed).length, 0, 'failed calls')
  return {
    what: 'load without sticky sessions',
    seen: `${perNode.join(' + ')} calls on the three nodes; ${replica} of ${replica + primary} public reads from a replica`,
  }
}

/** Measures how soon every node shows a newcomer while both replicas have stopped replaying. */
async function measureLag(db: Database, secrets: Secrets): Promise<Row> {
  const primary = await findPrimary(secrets)
  const replicas = MEMBERS.filter((member) => member !== primary)
  const onReplicas = (statement: string) =>
    Promise.all(
      replicas.map((member) => queryAt(superuserUrl(secrets, portOf(PORTS.postgres, member)), statement)),
    )
  await onReplicas('select pg_wal_replay_pause()')
  try {
    const before = await countPublicReads()
    const slowestMs = await measureListingMs(db)
    const after = await countPublicReads()
    return {
      what: 'both replicas lag',
      seen: `a newcomer is on the leaderboard of every node after ${slowestMs} ms; ${after.primary - before.primary} public reads from the primary, ${after.replica - before.replica} from a replica`,
    }
  } finally {
    await onReplicas('select pg_wal_replay_resume()')
  }
}

type Board = { pagination: { totalItems: number } }

/** The milliseconds until the leaderboard of every node counts a new participant. */
async function measureListingMs(db: Database): Promise<number> {
  const totalAt = async (port: number) => {
    const path = `${API_BASE}${leaderboard.path}?page=1&limit=10`
    const { pagination } = (await json(await httpGet(port, path))) as Board
    return pagination.totalItems
  }
  const before = Math.max(...(await Promise.all(PORTS.nodes.map(totalAt))))
  await createUsers(db, testCampaign.id, 1)
  const joinedAt = performance.now()
  const delays = PORTS.nodes.map(async (port) => {
    while ((await totalAt(port)) <= before) await pause(20)
    return performance.now() - joinedAt
  })
  return Math.round(Math.max(...(await Promise.all(delays))))
}

/** Measures how soon the event streams of all nodes announce a claim on one node. */
async function measureAnnouncements(db: Database): Promise<Row> {
  const streams = await Promise.all(PORTS.nodes.map((port) => httpGet(port, `${EVENTS_PATH}?topics=slots`)))
  const events = streams.map((stream) => firstTwoEvents(stream))
  await Promise.all(events.map(({ first }) => first))
  const [person] = await createUsers(db, testCampaign.id, 1)
  const startedAt = performance.now()
  await callAndSample([], submitProof, { token: person.token, body: freshProof() }) // Its sample is dropped.
  await Promise.all(events.map(({ next }) => next))
  const ms = Math.round(performance.now() - startedAt)
  streams.forEach((stream) => stream.destroy())
  return { what: 'a claim on one node', seen: `announced on the streams of all three after ${ms} ms` }
}

/** The first event is the state at the beginning of the stream. */
function firstTwoEvents(stream: NodeJS.ReadableStream) {
  const first = Promise.withResolvers<void>()
  const next = Promise.withResolvers<void>()
  let eventCount = 0
  stream.on('data', (chunk: Buffer) => {
    eventCount += chunk.toString().split('event: slots').length - 1
    if (eventCount > 0) first.resolve()
    if (eventCount > 1) next.resolve()
  })
  return { first: first.promise, next: next.promise }
}

/** Measures claims with a synchronous standby, and the log and disk space per claim. */
async function measureClaims(db: Database, secrets: Secrets): Promise<Row> {
  const people = await createUsers(db, testCampaign.id, PEOPLE)
  const before = await readSizes(secrets)
  const commitMs = await measureCommitMs(secrets)
  const samples: Sample[] = []
  const endsAt = performance.now() + STEP_MS
  const claimInTurn = async () => {
    for (let person = people.pop(); person && performance.now() < endsAt; person = people.pop())
      await callAndSample(samples, submitProof, { token: person.token, body: freshProof() })
  }
  await Promise.all(Array.from({ length: CLAIMANTS }, claimInTurn))
  // Waits for the checks of the claims, which are part of their cost.
  await pause(STEP_MS)
  const after = await readSizes(secrets)
  const accepted = samples.filter(({ status }) => status === 201).length
  const refusals = Map.groupBy(
    samples.filter(({ status }) => status !== 201),
    ({ status }) => status,
  )
  const refused = [...refusals].map(([status, calls]) => `${calls.length} × ${status}`).join(', ') || 'none'
  const kilobytes = (field: 'log' | 'disk') => ((after[field] - before[field]) / accepted / 1_024).toFixed(1)
  return {
    what: `claims by ${CLAIMANTS} participants at once`,
    seen: `${Math.round((accepted / STEP_MS) * 1_000)} accepted/s, refused: ${refused}; p50 ${Math.round(percentile(samples, 0.5))} ms, p99 ${Math.round(percentile(samples, 0.99))} ms, where a commit alone takes ${commitMs} ms; each with its checks ${kilobytes('log')} kB of log and ${kilobytes('disk')} kB of disk`,
  }
}

/** The median milliseconds of a commit that changes nothing, but waits for two disks. */
async function measureCommitMs(secrets: Secrets): Promise<string> {
  const times: number[] = []
  const client = new pg.Client({ connectionString: superuserUrl(secrets) })
  await client.connect()
  for (let turn = 0; turn < 100; turn += 1) {
    const startedAt = performance.now()
    await client.query(`select pg_logical_emit_message(true, '', '')`)
    times.push(performance.now() - startedAt)
  }
  await client.end()
  return quantile(times, 0.5).toFixed(1)
}

/** Bytes written to the log (WAL) so far, and bytes of the database on disk. */
async function readSizes(secrets: Secrets): Promise<{ log: number; disk: number }> {
  const rows = await queryPrimary<{ log: string; disk: string }>(
    secrets,
    `select pg_current_wal_lsn() - '0/0' as log, pg_database_size('dropwright') as disk`,
  )
  return { log: Number(rows[0]?.log), disk: Number(rows[0]?.disk) }
}
