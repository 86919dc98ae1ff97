import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pair } from '#contract/market.ts'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database.ts'
import type { AskPrice } from './client.ts'

/** The token's pairs, best first; null when no price is known. Never fails. */
export type ReadPrice = () => Promise<Pair[] | null>

/** How long a good answer is served while no newer one can be had, in milliseconds. */
const GOOD_FOR = 5 * 60_000

type Options = {
  /** Milliseconds, only ever going up. */
  now?: () => number
}

/**
 * Reads the price through a cache in the database, so that the price service is asked at most once a
 * minute over all visitors and all nodes, also when it is down.
 */
export function createPriceReader(
  deps: Pick<Deps, 'db' | 'campaign' | 'log'>,
  ask: AskPrice,
  { now = () => performance.now() }: Options = {},
): ReadPrice {
  let last: { pairs: Pair[] | null; at: number } | undefined
  let current: ReturnType<ReadPrice> | undefined
  const read = async () => {
    try {
      last = { pairs: await readThrough(deps, ask), at: now() }
      return last.pairs
    } catch (error) {
      deps.log.warn({ err: error }, 'the price could not be read from the database')
      return last && now() - last.at < GOOD_FOR ? last.pairs : null
    }
  }
  // Visitors of this node who ask at the same moment share one answer.
  return () => (current ??= read().finally(() => (current = undefined)))
}

async function readThrough({ db, campaign, log }: Pick<Deps, 'db' | 'campaign' | 'log'>, ask: AskPrice) {
  const contract = campaign.token.contract.toLowerCase()
  const kept = await readKept(db, contract)
  if (kept?.isNew) return kept.pairs
  if (!(await claimMinute(db, contract))) return await waitForOther(db, contract)
  const asked = await ask()
  if ('pairs' in asked) await keep(db, contract, asked.pairs)
  else log.warn({ reason: asked.unclear }, 'the price service could not tell')
  return (await readKept(db, contract))?.pairs ?? null
}

type Kept = {
  pairs: Pair[] | null
  /** Asked within the last minute. */
  isNew: boolean
  /** Somebody asked a moment ago and has no answer yet. */
  isAsking: boolean
}

async function readKept(db: Database, contract: string): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select case when answered_at > now() - ${GOOD_FOR} * interval '1 millisecond' then nullif(pairs, '[]') end as pairs,
      asked_at > now() - interval '1 minute' as "isNew",
      asked_at > now() - interval '4 seconds' and answered_at is distinct from greatest(answered_at, asked_at) as "isAsking"
    from market_prices where contract = ${contract}`.execute(db)
  return rows[0]
}

/** One statement: of all nodes that come in the same minute, one gets it. */
async function claimMinute(db: Database, contract: string): Promise<boolean> {
  const { rows } = await sql`
    insert into market_prices (contract, asked_at) values (${contract}, now())
    on conflict (contract) do update set asked_at = now()
    where market_prices.asked_at <= now() - interval '1 minute'
    returning 1`.execute(db)
  return rows.length > 0
}

async function keep(db: Database, contract: string, pairs: Pair[]): Promise<void> {
  await db
    .updateTable('market_prices')
    .set({ pairs: JSON.stringify(pairs), answered_at: sql`now()` })
    .where('contract', '=', contract)
    .execute()
}
