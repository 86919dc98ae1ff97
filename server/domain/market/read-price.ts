import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pair } from '#contract/market.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { FetchPrice } from './client.ts'

/** The token's pairs, best first; null if no price is known. Never rejects. */
export type ReadPrice = () => Promise<Pair[] | null>

/** How long an answer is served if no newer one is available. */
const MAX_AGE = '5 minutes'
/** A request without an answer by then has failed: outbound calls time out after 3 s. */
const REQUEST_TIMEOUT = '4 seconds'
const POLL_MS = 100

/**
 * Reads the price through a cache in the database: the price service gets at most one request a minute across
 * all visitors and nodes, even while it is down.
 */
export function createPriceReader(
  { db, campaign, log }: Pick<Deps, 'db' | 'campaign' | 'log'>,
  fetchPrice: FetchPrice,
): ReadPrice {
  const contract = campaign.token.contract.toLowerCase()
  let pending: ReturnType<ReadPrice> | undefined
  const read = async () => {
    const cached = await readCache(db, contract)
    if (!(cached?.isDue ?? true) || !(await acquireMinute(db, contract))) return waitForAnswer(db, contract)
    const reply = await fetchPrice()
    if ('pairs' in reply) await writeCache(db, contract, reply.pairs)
    else log.warn({ reason: reply.unclear }, 'the price service gave no usable answer')
    return (await readCache(db, contract))?.pairs ?? null
  }
  const readOrNull = () =>
    read().catch((error: unknown) => {
      log.warn({ err: error }, 'the price could not be read')
      return null
    })
  // Concurrent calls on this node share one answer.
  return () => (pending ??= readOrNull().finally(() => (pending = undefined)))
}

type Cached = {
  pairs: Pair[] | null
  /** The last request is a minute old. */
  isDue: boolean
  /** A request, maybe of another node, has no answer yet. */
  isPending: boolean
}

async function readCache(db: Database, contract: string): Promise<Cached | undefined> {
  const { rows } = await sql<Cached>`
    select case when answered_at > now() - ${sql.lit(MAX_AGE)}::interval then nullif(pairs, '[]') end as pairs,
      asked_at <= now() - interval '1 minute' as "isDue",
      asked_at > now() - ${sql.lit(REQUEST_TIMEOUT)}::interval and coalesce(answered_at < asked_at, true) as "isPending"
    from market_prices where contract = ${contract}`.execute(db)
  return rows[0]
}

/** One atomic statement, so that only one node makes the request of a minute. */
async function acquireMinute(db: Database, contract: string): Promise<boolean> {
  const { rows } = await sql`
    insert into market_prices as p (contract, asked_at) values (${contract}, now())
    on conflict (contract) do update set asked_at = now() where p.asked_at <= now() - interval '1 minute'
    returning 1`.execute(db)
  return rows.length > 0
}

/** The cached pairs; if there are none, waits for a pending request. */
async function waitForAnswer(db: Database, contract: string): Promise<Pair[] | null> {
  for (;;) {
    const cached = await readCache(db, contract)
    if (!cached || cached.pairs || !cached.isPending) return cached?.pairs ?? null
    await pause(POLL_MS)
  }
}

async function writeCache(db: Database, contract: string, pairs: Pair[]): Promise<void> {
  await db
    .updateTable('market_prices')
    .set({ pairs: JSON.stringify(pairs), answered_at: sql`now()` })
    .where('contract', '=', contract)
    .execute()
}
