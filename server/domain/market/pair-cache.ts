import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pair } from '#contract/market.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'

/** The token's pairs (possibly none), or why there is no usable answer. */
export type PairsReply = { pairs: Pair[] } | { unclear: string }

/** A source of pairs, and the table that caches its last answer and records when it was last asked. */
export type PairSource = {
  name: string
  table: 'market_prices' | 'pool_prices'
  /** How long an answer may take before the source counts as failed. */
  timeoutSeconds: number
  fetch: () => Promise<PairsReply>
}

/** How long an answer is served if no newer one is available. */
const MAX_AGE = '5 minutes'
const POLL_MS = 100
const NOW = sql<Date>`now()`

/**
 * Reads a source through a cache in the database. The source is asked at most once a minute across all
 * visitors and nodes, even while it is down.
 * @returns the pairs, best first; null if none are known.
 */
export async function readThroughCache(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  contract: string,
  source: PairSource,
): Promise<Pair[] | null> {
  const cache = { db, contract, ...source }
  const cached = await readCache(cache)
  const isDue = cached?.isDue ?? true
  const mayAsk = isDue && (await acquireMinute(cache))
  if (!mayAsk) return waitForAnswer(cache)
  const reply = await source.fetch()
  if ('pairs' in reply) await updateCache(cache, { pairs: JSON.stringify(reply.pairs), answered_at: NOW })
  else {
    log.warn({ reason: reply.unclear }, `${source.name} gave no usable answer`)
    await updateCache(cache, { failed_at: NOW })
  }
  return (await readCache(cache))?.pairs ?? null
}

type Cache = Pick<PairSource, 'table' | 'timeoutSeconds'> & { db: Database; contract: string }

type CachedPairs = {
  pairs: Pair[] | null
  /** Whether the source was last asked at least a minute ago. */
  isDue: boolean
  /** Whether the source has been asked, by this node or another, and may still answer. */
  isPending: boolean
}

/** An `asked_at` more than a minute ahead was recorded before the clock was set back. */
const IS_DUE = sql<boolean>`(p.asked_at <= now() - interval '1 minute'
  or p.asked_at > now() + interval '1 minute')`

async function readCache({ db, table, timeoutSeconds, contract }: Cache): Promise<CachedPairs | undefined> {
  const { rows } = await sql<CachedPairs>`
    select case when answered_at > now() - ${sql.lit(MAX_AGE)}::interval then nullif(pairs, '[]') end as pairs,
      ${IS_DUE} as "isDue",
      asked_at between now() - make_interval(secs => ${timeoutSeconds}) and now()
        and coalesce(greatest(answered_at, failed_at) < asked_at, true) as "isPending"
    from ${sql.table(table)} p where contract = ${contract}`.execute(db)
  return rows[0]
}

/** Reserves this minute's request for this node, in one atomic statement. @returns whether it could. */
async function acquireMinute({ db, table, contract }: Cache): Promise<boolean> {
  const { rows } = await sql`
    insert into ${sql.table(table)} as p (contract, asked_at) values (${contract}, now())
    on conflict (contract) do update set asked_at = now() where ${IS_DUE}
    returning 1`.execute(db)
  return rows.length > 0
}

/** The cached pairs; if there are none, waits for a pending answer. */
async function waitForAnswer(cache: Cache): Promise<Pair[] | null> {
  for (;;) {
    const cached = await readCache(cache)
    if (!cached || cached.pairs || !cached.isPending) return cached?.pairs ?? null
    await pause(POLL_MS)
  }
}

type CacheChange = { pairs: string; answered_at: typeof NOW } | { failed_at: typeof NOW }

async function updateCache({ db, table, contract }: Cache, change: CacheChange): Promise<void> {
  await db.updateTable(table).set(change).where('contract', '=', contract).execute()
}
