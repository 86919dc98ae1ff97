import type { Pair } from '#contract/market.ts'
import type { Deps } from '#server/deps.ts'
import type { FetchPrice } from './client.ts'
import { type PairSource, readThroughCache } from './pair-cache.ts'
import type { FetchPoolPrice } from './pool-price.ts'

/** The token's pairs, best first; null if no price is known. Never rejects. */
export type ReadPrice = () => Promise<Pair[] | null>

/**
 * Creates a reader of the price service's pairs. While the service has not answered for five minutes or knows
 * no pair, it reads those of the token's pools instead, if `fetchPoolPrice` is given. It never mixes both.
 */
export function createPriceReader(
  { db, campaign, log }: Pick<Deps, 'db' | 'campaign' | 'log'>,
  fetchPrice: FetchPrice,
  fetchPoolPrice?: FetchPoolPrice,
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
