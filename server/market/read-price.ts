import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pair } from '#contract/market.ts'
import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database.ts'
import type { AskPrice } from './client.ts'

/** The token's pairs, best first; null when no price is known. Never fails. */
export type ReadPrice = () => Promise<Pair[] | null>

/** How long a good answer is served while no newer one can be had. */
const GOOD_FOR = '5 minutes'
/** Somebody who asked and was not answered by then never will be: outbound calls end after 3 s. */
const ASKING_FOR = '4 seconds'
const LOOK_AGAIN = 100

/**
 * Reads the price through a cache in the database, so that the price service is asked at most once a
 * minute over all visitors and all nodes, also when it is down.
 */
export function createPriceReader(
  { db, campaign, log }: Pick<Deps, 'db' | 'campaign' | 'log'>,
  ask: AskPrice,
): ReadPrice {
  const contract = campaign.token.contract.toLowerCase()
  let current: ReturnType<ReadPrice> | undefined
  const read = async () => {
    const kept = await readKept(db, contract)
    if (!isDue(kept) || !(await claimMinute(db, contract))) return waitForAnswer(db, contract)
    const asked = await ask()
    if ('pairs' in asked) await keep(db, contract, asked.pairs)
    else log.warn({ reason: asked.unclear }, 'the price service could not tell')
    return (await readKept(db, contract))?.pairs ?? null
  }
  const readOrNothing = () =>
    read().catch((error: unknown) => {
      log.warn({ err: error }, 'the price could not be read')
      return null
    })
  // Visitors of this node who ask at the same moment share one answer.
  return () => (current ??= readOrNothing().finally(() => (current = undefined)))
}

type Kept = {
  pairs: Pair[] | null
  /** Not asked for a minute. */
  due: boolean
  /** Another node asked a moment ago and has no answer yet. */
  asking: boolean
}

const isDue = (kept: Kept | undefined) => kept?.due ?? true

async function readKept(db: Database, contract: string): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select case when answered_at > now() - ${sql.lit(GOOD_FOR)}::interval then nullif(pairs, '[]') end as pairs,
      asked_at <= now() - interval '1 minute' as due,
      asked_at > now() - ${sql.lit(ASKING_FOR)}::interval and coalesce(answered_at < asked_at, true) as asking
    from market_prices where contract = ${contract}`.execute(db)
  return rows[0]
}

/** One statement: of all nodes that come in the same minute, one gets it. */
async function claimMinute(db: Database, contract: string): Promise<boolean> {
  const { rows } = await sql`
    insert into market_prices as p (contract, asked_at) values (${contract}, now())
    on conflict (contract) do update set asked_at = now() where p.asked_at <= now() - interval '1 minute'
    returning 1`.execute(db)
  return rows.length > 0
}

/** What is kept; only where that is nothing, another node that is just asking is waited for. */
async function waitForAnswer(db: Database, contract: string): Promise<Pair[] | null> {
  for (;;) {
    const kept = await readKept(db, contract)
    if (!kept || kept.pairs || !kept.asking) return kept?.pairs ?? null
    await pause(LOOK_AGAIN)
  }
}

async function keep(db: Database, contract: string, pairs: Pair[]): Promise<void> {
  await db
    .updateTable('market_prices')
    .set({ pairs: JSON.stringify(pairs), answered_at: sql`now()` })
    .where('contract', '=', contract)
    .execute()
}
