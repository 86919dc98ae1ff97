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

/** The decimals of each token by its address, as the token states them. */
export type Decimals = ReadonlyMap<string, number>

type Market = { contract: string; wrappedCoin: string; dollar: string; decimals: Decimals }

/**
 * Dollars that both sides of a pool must be worth together. In a smaller pool, one trade of a few dollars can
 * move the price to anything. The coin needs a larger one because its price enters into others.
 */
const MIN_WORTH = { token: 1_000n, coin: 10_000n }

/** Fixed point: prices are dollars per smallest unit of a token, with 60 decimals. */
const SCALE = 10n ** 60n

/**
 * The token's prices in dollars by pool, deepest first. A pool with the coin is priced by the deepest pool of
 * the coin with the dollar. Each price is that of one pool, never an average. It is the price that the last
 * trader of the block left behind: for the fees of a trade, anyone can move it for one block.
 */
export function priceFromPools(pools: readonly PoolReserves[], market: Market): Pair[] {
  const { contract, wrappedCoin, dollar } = market
  const dollarPrice = SCALE / 10n ** BigInt(market.decimals.get(dollar) ?? 0)
  const coin = pricePool(
    findDeepest(pools.filter(({ base, quote }) => base === wrappedCoin && quote === dollar)),
    dollarPrice,
    MIN_WORTH.coin,
  )
  const unitPrices = new Map([[dollar, dollarPrice] as const, [wrappedCoin, coin?.price] as const])
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

/** Compares the products of both reserves: a pool rich in one token only is cheap to make, with any price. */
const findDeepest = (pools: readonly PoolReserves[]) =>
  pools.reduce<PoolReserves | undefined>(
    (best, pool) => (best && depthOf(best) >= depthOf(pool) ? best : pool),
    undefined,
  )

const depthOf = ({ baseReserve, quoteReserve }: PoolReserves) => baseReserve * quoteReserve

/**
 * The `price` of a smallest unit of the base, and what both sides are `worth` in whole dollars.
 * @param quotePrice of a smallest unit of the quote; both prices are in dollars times SCALE.
 * @returns undefined if the pool is worth less than `minWorth`.
 */
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
