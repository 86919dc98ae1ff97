import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pair } from '#contract/market.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ago, NOW } from '#server/platform/database/times.ts'

/** Fetches the token's pairs, possibly none. `unclear` says why there is no usable answer. */
export type FetchPairs = () => Promise<{ pairs: Pair[] } | { unclear: string }>

/** A source of pairs, and the table that caches its last answer and records when it was last asked. */
type PairSource = {
  name: string
  table: 'market_prices' | 'pool_prices'
  /** How long an answer may take before the source counts as failed. */
  timeoutSeconds: number
  fetch: FetchPairs
}

/** The token's pairs, which have its price, best first; null if no price is known. Never rejects. */
export type ReadPrice = () => Promise<Pair[] | null>

/**
 * Creates a reader of the price service's pairs. If the service has not answered for five minutes or knows no
 * pair, the reader returns the pairs of `fetchPoolPrice` instead. It never mixes both.
 */
export function createPriceReader(
  { db, campaign, log }: Pick<Deps, 'db' | 'campaign' | 'log'>,
  fetchPrice: FetchPairs,
  fetchPoolPrice?: FetchPairs,
): ReadPrice {
  const contract = campaign.token.contract.toLowerCase()
  // Outbound calls time out after 3 s; the pools take three requests.
  const sources: PairSource[] = [
    { name: 'the price service', table: 'market_prices', timeoutSeconds: 4, fetch: fetchPrice },
  ]
  if (fetchPoolPrice)
    sources.push({ name: 'the chain', table: 'pool_prices', timeoutSeconds: 10, fetch: fetchPoolPrice })
  let pending: ReturnType<ReadPrice> | undefined
  const read = async () => {
    for (const source of sources) {
      const pairs = await readThroughCache({ db, log }, contract, source)
      if (pairs) return pairs
    }
    return null
  }
  const readOrNull = () =>
    read().catch((error: unknown) => {
      log.warn({ err: error }, 'the price could not be read')
      return null
    })
  // Concurrent calls on this node share one answer.
  return () => {
    pending ??= readOrNull().finally(() => {
      pending = undefined
    })
    return pending
  }
}

/** How long an answer is served if no newer one is available. */
const MAX_AGE = '5 minutes'
const POLL_MS = 100

/** Across all visitors and nodes, asks the source at most once a minute, even while it is down. */
async function readThroughCache(
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
  if ('unclear' in reply) log.warn({ reason: reply.unclear }, `${source.name} gave no usable answer`)
  const outcome =
    'pairs' in reply ? { pairs: JSON.stringify(reply.pairs), answered_at: NOW } : { failed_at: NOW }
  await db.updateTable(source.table).set(outcome).where('contract', '=', contract).execute()
  return (await readCache(cache))?.pairs ?? null
}

type Cache = Pick<PairSource, 'table' | 'timeoutSeconds'> & { db: Database; contract: string }

type CachedPairs = {
  pairs: Pair[] | null
  isDue: boolean
  /** Whether the source has been asked, by this node or another, and may still answer. */
  isPending: boolean
}

/** An `asked_at` more than a minute ahead was recorded before the clock was set back. */
const IS_DUE = sql<boolean>`(p.asked_at <= now() - interval '1 minute'
  or p.asked_at > now() + interval '1 minute')`

async function readCache({ db, table, timeoutSeconds, contract }: Cache): Promise<CachedPairs | undefined> {
  const { rows } = await sql<CachedPairs>`
    select case when answered_at > ${ago(MAX_AGE)} then nullif(pairs, '[]') end as pairs,
      ${IS_DUE} as "isDue",
      asked_at between now() - make_interval(secs => ${timeoutSeconds}) and now()
        and coalesce(greatest(answered_at, failed_at) < asked_at, true) as "isPending"
    from ${sql.table(table)} p where contract = ${contract}`.execute(db)
  return rows[0]
}

/** Reserves this minute's request for this node, in one atomic statement. */
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
