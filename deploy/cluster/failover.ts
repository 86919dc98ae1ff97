import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import testCampaign from '#server/testing/campaign.ts'
import { openDatabase, openPool } from '#server/platform/database/database.ts'
import { asTable, type Row } from '../../bench/report.ts'
import { assertInvariants } from '../../chaos/invariants.ts'
import { until } from './query.ts'
import { samplesBetween, isFailed, type Load, percentile, type Sample, startLoad } from './load.ts'
import { findUnprivilegedAccount } from './packages.ts'
import { listRunning, pidOf, stop } from './processes.ts'
import { type Member, MEMBERS, ownerUrl, readSecrets, type Secrets } from './settings.ts'
import { hasBothStandbys, startNode, startPatroni } from './up.ts'
import { readCounts, killPostgres, findPrimary } from './watch.ts'

const MAX_WRITE_OUTAGE_MS = 30_000
const STEADY_MS = 10_000
const SETTLE_SECONDS = 30

/**
 * `npm run cluster -- failover`: breaks one part after another under load. Then compares the acknowledged
 * changes with the database, and fails if one is missing. Takes about three minutes.
 */
export async function failover(): Promise<void> {
  const secrets = await readSecrets()
  const pool = openPool(ownerUrl(secrets), { timeoutMs: 60_000 })
  const db = openDatabase(pool)
  try {
    const load = await startLoad(db)
    const pidsBefore = await Promise.all(MEMBERS.map((member) => pidOf(`node-${member}`)))
    const rows: Row[] = [
      await measureStep(load, 'undisturbed', () => pause(STEADY_MS, 'nothing')),
      await measureStep(load, 'the primary is killed (kill -9)', () => killPrimary(load, secrets)),
    ]
    const pidsAfter = await Promise.all(MEMBERS.map((member) => pidOf(`node-${member}`)))
    assert.deepEqual(pidsAfter, pidsBefore, 'no node is restarted')
    rows.push(
      await measureStep(load, 'the nodes are restarted, one after another', () => restartNodes(secrets)),
      await measureStep(load, 'a node is suspended (SIGSTOP)', suspendNode),
    )
    await load.stop()
    rows.push(await compare(load))
    console.log(asTable(rows))
  } finally {
    await pool.end()
  }
}

/** A row about the calls during a step. @param run resolves with a description of what happened */
async function measureStep(load: Load, step: string, run: () => Promise<string>): Promise<Row> {
  console.log(`${step} …`)
  const from = performance.now()
  const seen = await run()
  const calls = samplesBetween(load.samples, from, performance.now())
  return {
    step,
    seconds: Math.round((performance.now() - from) / 1_000),
    calls: calls.length,
    'failed reads': calls.filter((call) => isFailed(call) && !call.isWrite).length,
    'failed writes': calls.filter((call) => isFailed(call) && call.isWrite).length,
    'p99 ms': Math.round(percentile(calls, 0.99)),
    'slowest ms': Math.round(percentile(calls, 1)),
    seen,
  }
}

/** Kills Patroni and PostgreSQL of the primary, as if its machine had died. Then starts it as a standby. */
async function killPrimary({ samples }: Load, secrets: Secrets): Promise<string> {
  const member = await findPrimary(secrets)
  process.kill(await pidOf(`patroni-${member}`), 'SIGKILL')
  await killPostgres(member)
  const outageMs = await measureOutage(samples, member, secrets)
  assert.ok(outageMs < MAX_WRITE_OUTAGE_MS, `writes resumed after ${Math.round(outageMs)} ms`)
  await pause(STEADY_MS / 2) // Gives the former primary writes to catch up with.
  const seconds = await measureReturn(member, secrets)
  const replacement = await findPrimary(secrets)
  const outage = `no write for ${(outageMs / 1_000).toFixed(1)} s`
  return `${replacement} replaces ${member}; ${outage}; ${member} follows after ${seconds} s`
}

/** Waits until writes succeed again. @returns the longest time without a successful write, in ms. */
async function measureOutage(samples: readonly Sample[], killed: Member, secrets: Secrets): Promise<number> {
  const killedAt = performance.now()
  await until('another primary', async () => (await findPrimary(secrets)) !== killed)
  const hasWritten = ({ isWrite, status }: Sample) => isWrite && status < 300
  await until('a write on it', async () =>
    samples.some((sample) => hasWritten(sample) && sample.startedAt > killedAt),
  )
  const aroundOutage = samples.filter((sample) => sample.startedAt > killedAt - BEFORE_OUTAGE_MS)
  return longestGap(aroundOutage.filter(hasWritten).map(({ startedAt, ms }) => startedAt + ms))
}

/** Long enough to contain a write. */
const BEFORE_OUTAGE_MS = 5_000

/** Starts the former primary again. @returns the seconds until it follows the new primary. */
async function measureReturn(former: Member, secrets: Secrets): Promise<number> {
  await startPatroni(former, secrets, await findUnprivilegedAccount())
  const startedAt = performance.now()
  await until('the former primary as a standby', () => hasBothStandbys(secrets))
  return Math.round((performance.now() - startedAt) / 1_000)
}

function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.max(...sorted.map((time, index) => time - (sorted[index - 1] ?? time)))
}

async function restartNodes(secrets: Secrets): Promise<string> {
  for (const member of MEMBERS) {
    await stop(`node-${member}`)
    await startNode(member, secrets)
    await until(`node ${member} at the balancer`, async () => (await statusOfNode(member)) === 'UP')
  }
  return 'the balancer used each node again before the next was stopped'
}

const statusOfNode = async (member: string) => (await readCounts('nodes')).get(member)?.status ?? ''

async function suspendNode(): Promise<string> {
  const pid = await pidOf('node-two')
  const suspendedAt = performance.now()
  process.kill(pid, 'SIGSTOP')
  try {
    await until('the balancer leaving node two out', async () =>
      (await statusOfNode('two')).startsWith('DOWN'),
    )
    const seconds = (performance.now() - suspendedAt) / 1_000
    await pause(STEADY_MS)
    return `left out after ${seconds.toFixed(1)} s`
  } finally {
    process.kill(pid, 'SIGCONT')
    await until('node two at the balancer', async () => (await statusOfNode('two')) === 'UP')
  }
}

/** Waits for queued work, and checks every invariant and every acknowledged change. */
async function compare({ world, samples }: Load): Promise<Row> {
  const check = () => assertInvariants(world, testCampaign)
  // `until` hides errors, so when it gives up, a last check throws the violated invariant.
  await until('every invariant', () => check().then(() => true), SETTLE_SECONDS).catch(check)
  return {
    step: 'clients and database compared',
    calls: samples.length,
    seen: `${world.acknowledged.length} acknowledged changes are there, once each; ${(await listRunning()).length} processes run`,
  }
}
