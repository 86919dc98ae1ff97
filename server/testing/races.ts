import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import defaultCampaign from '#campaign'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import type { Deps } from '../deps.ts'
import { type Database, openDatabase, openPool } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { testDatabase } from './database.ts'
import { testDeps } from './deps.ts'

/**
 * How often a race is repeated. Once proves nothing: the first round opens the connections and is over
 * before it was a race.
 */
export const ROUNDS = 20

/** Two nodes on one database, each with connections of its own. */
export async function twoNodes(t: TestContext, campaign?: CampaignFile): Promise<[Deps, Deps]> {
  const { db, url } = await testDatabase(t)
  const one = await testDeps(db, campaign)
  const pool = openPool(url, () => {})
  t.after(() => pool.end())
  return [one, { ...one, db: openDatabase(pool) }]
}

/** The default campaign with changes to its airdrop, and an id of its own where several share a database. */
export function campaignWith(
  changes: Partial<CampaignFile['airdrop']>,
  id = defaultCampaign.id,
): CampaignFile {
  return { ...defaultCampaign, id, airdrop: { ...defaultCampaign.airdrop, ...changes } }
}

/** The same nodes in another campaign, which everybody who is verified takes part in. */
export async function inCampaign(nodes: readonly Deps[], campaign: CampaignFile): Promise<Deps[]> {
  const [first] = nodes
  if (first) await syncCampaign(first.db, campaign)
  return nodes.map((node) => ({ ...node, campaign }))
}

/** How calls made at once ended: how many were `done`, and how many were refused with each code. */
export async function tally(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const result of await Promise.allSettled(calls)) {
    const end = result.status === 'fulfilled' ? 'done' : nameOf(result.reason)
    counts[end] = (counts[end] ?? 0) + 1
  }
  return counts
}

const nameOf = (error: unknown) => (error instanceof Refusal ? error.code : `error: ${String(error)}`)

/** Returns once so many statements wait for locks that others hold. */
export async function untilWaiting(db: Database, count: number): Promise<void> {
  const waiting = sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(db)).rows.length < count) continue
}

/**
 * Starts calls while the row of a claim is held: all of them wait for it in this order when it is let go, so
 * that they meet, whatever else the machine does.
 */
export async function meetAtClaim<T>(
  { db }: Deps,
  claimId: string,
  calls: readonly (() => Promise<T>)[],
): Promise<Promise<T>[]> {
  return await db.transaction().execute(async (held) => {
    await held.selectFrom('claims').select('id').where('id', '=', claimId).forUpdate().execute()
    const met: Promise<T>[] = []
    for (const call of calls) {
      const end = call()
      // Whoever is given the calls looks at how they end.
      end.catch(() => {})
      met.push(end)
      await untilWaiting(db, met.length)
    }
    return met
  })
}
