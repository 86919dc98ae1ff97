import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import type pg from 'pg'
import type { CampaignFile } from '#contract/campaign-file.ts'
import defaultCampaign from '../campaign.ts'
import { createLiveCampaign } from '#server/domain/campaign/live-campaign.ts'
import { fillBoard } from '#server/domain/ledger/board.ts'
import type { Deps } from '#server/deps.ts'
import { type Database, openDatabase, openPool, type Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { LONG_TIMEOUT, testDatabase } from './database.ts'
import { depsOfAnotherNode, testDeps } from '../deps.ts'
import { until } from '../until.ts'

/** The first round of a race only warms up, because opening connections serializes its calls. */
export const ROUNDS = 10

/**
 * Two nodes on one database, each with its own pool and its own view of the campaign's settings. A deadlock
 * fails the test, although the product would repeat the transaction.
 */
export async function twoNodes(t: TestContext, campaign?: CampaignFile): Promise<[Deps, Deps]> {
  const { db, pool, url } = await testDatabase(t)
  const one = await testDeps(db, campaign)
  const otherPool = openPool(url, LONG_TIMEOUT)
  t.after(() => otherPool.end())
  failOnDeadlock(t, pool, otherPool)
  return [one, depsOfAnotherNode(one, openDatabase(otherPool))]
}

function failOnDeadlock(t: TestContext, ...pools: readonly pg.Pool[]): void {
  const deadlocks: unknown[] = []
  for (const pool of pools)
    pool.on('connect', ({ connection }) => {
      connection.on('errorMessage', ({ code, detail }: pg.DatabaseError) => {
        if (code === '40P01') deadlocks.push(detail)
      })
    })
  t.after(() => assert.deepEqual(deadlocks, []))
}

/** The tests' campaign with changes to its airdrop. @param id for campaigns that share a database. */
export function campaignWith(
  changes: Partial<CampaignFile['airdrop']>,
  id = defaultCampaign.id,
): CampaignFile {
  return { ...defaultCampaign, id, airdrop: { ...defaultCampaign.airdrop, ...changes } }
}

/** The same nodes in another campaign, which is created with all users on its leaderboard. */
export async function inCampaign<const Nodes extends readonly Deps[]>(nodes: Nodes, campaign: CampaignFile) {
  const [first] = nodes
  if (first) await storeCampaign(first.db, campaign)
  return nodes.map((node) => ({
    ...node,
    campaign,
    liveCampaign: createLiveCampaign(node.db, campaign),
  })) as { -readonly [Index in keyof Nodes]: Deps }
}

/** Does without the journal what `syncCampaign` does, in a quarter of the time. */
async function storeCampaign(db: Database, campaign: CampaignFile): Promise<void> {
  const { id, airdrop } = campaign
  const stored = { id, slots_total: airdrop.slots, settings: JSON.stringify(campaign) }
  const insertion = db.insertInto('campaigns').values(stored)
  await insertion.onConflict((conflict) => conflict.column('id').doUpdateSet(stored)).execute()
  await fillBoard(db, id)
}

/** Counts the outcomes of concurrent calls: `done`, or the code of the refusal. */
export async function tally(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const result of await Promise.allSettled(calls)) {
    const outcome = result.status === 'fulfilled' ? 'done' : nameOf(result.reason)
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}

const nameOf = (error: unknown) => (error instanceof Refusal ? error.code : `error: ${String(error)}`)

/**
 * Resolves once `count` statements wait for row, table or advisory locks. PostgreSQL's internal locks do not
 * count: a running statement may briefly wait for one, to extend a file or to notify.
 */
export async function untilWaiting(db: Database, count: number): Promise<void> {
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and wait_event in ('transactionid', 'tuple', 'relation', 'advisory')`
  const areWaiting = async () => (await waiting.execute(db)).rows.length >= count
  await until(`${count} statements wait for locks`, areWaiting)
}

/**
 * Starts calls while a lock is held. They queue for it in this order, and race when it is released.
 * @param meanwhile runs before the release, when all calls are waiting.
 */
export async function meetAtLock<T>(
  db: Database,
  lock: (tx: Tx) => Promise<unknown>,
  calls: readonly (() => Promise<T>)[],
  meanwhile: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<Promise<T>[]> {
  return await db.transaction().execute(async (tx) => {
    await lock(tx)
    const started: Promise<T>[] = []
    for (const call of calls) {
      const result = call()
      // The caller handles rejections.
      result.catch(() => {})
      started.push(result)
      await untilWaiting(db, started.length)
    }
    await meanwhile(tx)
    return started
  })
}

/** Ends the connection of a call while it waits for the slots' locks. @returns the outcome of the call. */
export function loseConnectionOf<T>(db: Database, call: () => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await tx.selectFrom('slots').select('number').forUpdate().execute()
    const running = call()
    await untilWaiting(db, 1)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return running
  })
}

/** {@link meetAtLock} for the lock of a claim's row. */
export const meetAtClaim = <T>(
  { db }: Deps,
  claimId: string,
  calls: readonly (() => Promise<T>)[],
  meanwhile?: (tx: Tx) => Promise<unknown>,
) =>
  meetAtLock(
    db,
    (tx) => tx.selectFrom('claims').select('id').where('id', '=', claimId).forUpdate().execute(),
    calls,
    meanwhile,
  )
