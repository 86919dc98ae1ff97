import type { Pair } from '#contract/market.ts'

/** A pool and its reserves in the smallest units of its tokens. Addresses are in lower case. */
export type PoolReserves = {
  exchange: string
  address: string
  base: string
  quote: string
  baseReserve: bigint
  quoteReserve: bigint
}

/** By token address. */
export type Decimals = ReadonlyMap<string, number>

type Market = { contract: string; wrappedCoin: string; dollar: string; decimals: Decimals }

/**
 * Dollars that both sides of a pool must be worth together: in a smaller pool, a trade of a few dollars can
 * set any price. A pool that prices the coin must be larger, because other prices depend on the coin's.
 */
const MIN_WORTH = { token: 1_000n, coin: 10_000n }

/** Prices are dollars per smallest unit of a token, times SCALE. */
const SCALE = 10n ** 60n

/**
 * The token's price in dollars in each pool, deepest pool first, never an average. The coin's own price comes
 * from the deepest pool of coin and dollar. Anyone who pays the fees of a trade can move a price for a block.
 */
export function priceFromPools(pools: readonly PoolReserves[], market: Market): Pair[] {
  const { contract, wrappedCoin, dollar } = market
  const dollarPrice = SCALE / 10n ** BigInt(market.decimals.get(dollar) ?? 0)
  const coinPools = pools.filter(({ base, quote }) => base === wrappedCoin && quote === dollar)
  const coinPrice = pricePool(findDeepest(coinPools), dollarPrice, MIN_WORTH.coin)?.price
  const unitPrices = new Map([[dollar, dollarPrice] as const, [wrappedCoin, coinPrice] as const])
  return pools
    .filter(({ base }) => base === contract)
    .flatMap((pool) => {
      const quotePrice = unitPrices.get(pool.quote)
      const priced = quotePrice === undefined ? undefined : pricePool(pool, quotePrice, MIN_WORTH.token)
      return priced ? [{ ...priced, pool }] : []
    })
    .toSorted((a, b) => Number(b.worth - a.worth) || (a.pool.address < b.pool.address ? -1 : 1))
    .flatMap(({ pool, price, worth }) => {
      const priceUsd = inWholeTokens(price, market.decimals.get(contract) ?? 0)
      return priceUsd === undefined ? [] : [toPair(pool, priceUsd, worth)]
    })
}

const findDeepest = (pools: readonly PoolReserves[]) =>
  pools.reduce<PoolReserves | undefined>(
    (best, pool) => (best && depthOf(best) >= depthOf(pool) ? best : pool),
    undefined,
  )

/** A product, because anyone can cheaply create a pool that is rich in one token only, with any price. */
const depthOf = ({ baseReserve, quoteReserve }: PoolReserves) => baseReserve * quoteReserve

/** `worth` is what both sides are worth together, in whole dollars. */
function pricePool(pool: PoolReserves | undefined, quotePrice: bigint, minWorth: bigint) {
  if (!pool || pool.baseReserve <= 0n) return undefined
  const quoteWorth = pool.quoteReserve * quotePrice
  const worth = (2n * quoteWorth) / SCALE
  return worth < minWorth ? undefined : { price: quoteWorth / pool.baseReserve, worth }
}

/** Decimals of a price: enough for a token of which a billion billion are worth a dollar. */
const PRICE_DECIMALS = 24
const MAX_PRICE = 10n ** 9n

/** Dollars per whole token as a decimal number; undefined if that rounds to 0 or reaches a billion. */
function inWholeTokens(pricePerUnit: bigint, decimals: number): string | undefined {
  const scaled = (pricePerUnit * 10n ** BigInt(decimals) * 10n ** BigInt(PRICE_DECIMALS)) / SCALE
  if (scaled === 0n || scaled >= MAX_PRICE * 10n ** BigInt(PRICE_DECIMALS)) return undefined
  const digits = scaled.toString().padStart(PRICE_DECIMALS + 1, '0')
  const fraction = digits.slice(-PRICE_DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -PRICE_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}

function toPair({ exchange, address }: PoolReserves, priceUsd: string, worth: bigint): Omit<Pair, 'chainId'> {
  return {
    priceUsd,
    dexId: exchange.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    pairAddress: address,
    liquidity: { usd: Number(worth) },
    source: 'pool',
  }
}
