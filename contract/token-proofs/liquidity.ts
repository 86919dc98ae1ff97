import type { Markets } from '../campaign-file.ts'
import type { Hex } from './abi.ts'
import {
  addressOf,
  type Answer,
  isRefusedByContract,
  numberOf,
  unexpectedAnswer,
  wordsOf,
} from './rpc-answers.ts'
import type { Pool, Reason } from './proof.ts'
import type { Reader } from './reader.ts'
import type { RpcCall } from './rpc.ts'

/** From this share on, liquidity counts as burned. The rest may belong to strangers who joined the pool. */
const MIN_BURNED_BPS = 9_900
/** Units of liquidity that Uniswap V2 and its copies lock at 0x0 for each pool. */
const MINIMUM_LIQUIDITY = 1_000n
export const BPS_SCALE = 10_000n

/** The markets on which the token is traded, with all addresses in lower case. */
export type Venues = {
  exchanges: readonly Exchange[]
  /** The wrapped coin first. */
  quotes: readonly [coin: Quote, ...others: Quote[]]
  burnAddresses: readonly Hex[]
}
export type Exchange = { name: string; factory: Hex; router: Hex }
type Quote = { symbol: string; address: Hex }

/** @param coin symbol of the native coin. */
export function venuesOf(markets: Markets, coin: string): Venues {
  const toQuote = ({ symbol, address }: Quote) => ({ symbol, address: address.toLowerCase() })
  return {
    exchanges: markets.exchanges.map(({ name, factory, router }) => ({
      name,
      factory: factory.toLowerCase(),
      router: router.toLowerCase(),
    })),
    quotes: [
      toQuote({ symbol: `W${coin}`, address: markets.wrappedCoin }),
      toQuote(markets.dollar),
      ...markets.quotes.map(toQuote),
    ],
    burnAddresses: [...new Set(markets.burnAddresses.map((address) => address.toLowerCase()))],
  }
}

type PoolLocation = { exchange: Exchange; feeTo: Hex | undefined; quote: Quote; address: Hex }

/** Pools of the token, and pools of the wrapped coin with other quotes, which give their prices in coins. */
export type PoolLocations = { pools: readonly PoolLocation[]; coinPools: readonly PoolLocation[] }

/** Calls for the pools on every exchange: of the token with each quote, of the coin with each other quote. */
export function poolCalls({ viewCall }: Reader, token: Hex, { exchanges, quotes }: Venues): RpcCall[] {
  const [coin, ...otherQuotes] = quotes
  return exchanges.flatMap(({ factory }) => [
    viewCall(factory, 'feeTo()'),
    ...quotes.map(({ address }) => viewCall(factory, 'getPair(address,address)', token, address)),
    ...otherQuotes.map(({ address }) => viewCall(factory, 'getPair(address,address)', coin.address, address)),
  ])
}

/** @param answers to {@link poolCalls}. @throws {Inconclusive} */
export function readPoolLocations(answers: readonly Answer[], venues: Venues): PoolLocations {
  const next = answerCursor(answers)
  const pools: PoolLocation[] = []
  const coinPools: PoolLocation[] = []
  const [, ...otherQuotes] = venues.quotes
  for (const exchange of venues.exchanges) {
    const feeTo = readFeeTo(next(), venues)
    const addPool = (list: PoolLocation[], quote: Quote) => {
      const address = addressOf(next())
      if (BigInt(address) !== 0n) list.push({ exchange, feeTo, quote, address })
    }
    for (const quote of venues.quotes) addPool(pools, quote)
    for (const quote of otherQuotes) addPool(coinPools, quote)
  }
  return { pools, coinPools }
}

/** Hands out answers in the order of their calls. */
function answerCursor(answers: readonly Answer[]): () => Answer {
  let index = 0
  return () => {
    const answer = answers[index]
    if (!answer) throw new Error('More answers are read than were asked for')
    index += 1
    return answer
  }
}

/** Who gets the exchange's share of the fees; undefined if no one does. Some exchanges lack the function. */
function readFeeTo(answer: Answer, { burnAddresses }: Venues): Hex | undefined {
  if (isRefusedByContract(answer)) return undefined
  const address = addressOf(answer)
  return BigInt(address) === 0n || burnAddresses.includes(address) ? undefined : address
}

/** Calls for the reserves of all pools, and for who holds the liquidity of the token's pools. */
export function depthCalls(
  { viewCall }: Reader,
  { pools, coinPools }: PoolLocations,
  { burnAddresses }: Venues,
): RpcCall[] {
  const reserveCalls = ({ address }: PoolLocation) => [
    viewCall(address, 'getReserves()'),
    viewCall(address, 'token0()'),
  ]
  const holdersOf = ({ feeTo }: PoolLocation) => [...(feeTo === undefined ? [] : [feeTo]), ...burnAddresses]
  const liquidityCalls = (pool: PoolLocation) => [
    viewCall(pool.address, 'totalSupply()'),
    ...holdersOf(pool).map((holder) => viewCall(pool.address, 'balanceOf(address)', holder)),
  ]
  return [
    ...coinPools.flatMap(reserveCalls),
    ...pools.flatMap((pool) => [...reserveCalls(pool), ...liquidityCalls(pool)]),
  ]
}

export type PoolDepth = PoolLocation & {
  /** In the smallest unit of each. */
  reserves: { token: bigint; quote: bigint }
  /** The reserve of the quote in smallest units of the wrapped coin; undefined if the quote has no price. */
  worth: bigint | undefined
  /** Units of liquidity. The locked units and the exchange's fee are left out. */
  liquidity: { burned: bigint; total: bigint }
}

/** @param answers to {@link depthCalls}. @returns the pools that hold something. @throws {Inconclusive} */
export function readDepths(
  answers: readonly Answer[],
  { pools, coinPools }: PoolLocations,
  token: Hex,
  venues: Venues,
): PoolDepth[] {
  const next = answerCursor(answers)
  const [coin] = venues.quotes
  const prices = new Map<Hex, Price>([[coin.address, { coins: 1n, quote: 1n }]])
  for (const pool of coinPools) {
    const { address } = pool.quote
    const { token: coins, quote } = readReserves(next, coin.address, address)
    // The deepest pool sets the price, because it costs most to distort.
    if (quote > 0n && coins > (prices.get(address)?.coins ?? 0n)) prices.set(address, { coins, quote })
  }
  const depths = pools.map((pool) => {
    const reserves = readReserves(next, token, pool.quote.address)
    const price = prices.get(pool.quote.address)
    const worth = price && (reserves.quote * price.coins) / price.quote
    return { ...pool, reserves, worth, liquidity: readLiquidity(next, pool, venues) }
  })
  return depths.filter(
    ({ reserves, liquidity }) => reserves.token > 0n && reserves.quote > 0n && liquidity.total > 0n,
  )
}

/** In a pool, `coins` are worth as much as `quote`. In smallest units. */
type Price = { coins: bigint; quote: bigint }

function readReserves(next: () => Answer, token: Hex, quote: Hex): PoolDepth['reserves'] {
  const [reserve0 = 0n, reserve1 = 0n] = wordsOf(next(), 3) // the third word is a time
  const answer = next()
  const token0 = addressOf(answer)
  if (token0 === token) return { token: reserve0, quote: reserve1 }
  if (token0 === quote) return { token: reserve1, quote: reserve0 }
  throw unexpectedAnswer(answer)
}

function readLiquidity(
  next: () => Answer,
  { feeTo }: PoolLocation,
  { burnAddresses }: Venues,
): PoolDepth['liquidity'] {
  const supplyAnswer = next()
  const fee = feeTo === undefined ? 0n : numberOf(next())
  const total = numberOf(supplyAnswer) - MINIMUM_LIQUIDITY - fee
  const atBurnAddresses = burnAddresses.map(() => numberOf(next())).reduce((sum, amount) => sum + amount, 0n)
  // The locked units are at 0x0 and count neither as burned nor in `total`.
  const locked = burnAddresses.some((address) => BigInt(address) === 0n) ? MINIMUM_LIQUIDITY : 0n
  const burned = atBurnAddresses > locked ? atBurnAddresses - locked : 0n
  if (total > 0n && burned > total) throw unexpectedAnswer(supplyAnswer)
  return { burned, total: total > 0n ? total : 0n }
}

/**
 * Burned, if at least 99 % of the liquidity of all pools is at burn addresses. A pool's weight is its reserve
 * of the quote, in coins: a reserve of the token itself costs its makers nothing. The units that every pool
 * locks do not count, nor does the exchange's fee. A pool of unknown worth has no weight, but at least 99 %
 * of its own liquidity has to be burned.
 */
export function judgeLiquidity(depths: readonly PoolDepth[], { exchanges }: Venues): Reason {
  if (depths.length === 0) return { code: 'no_pool', exchanges: exchanges.map(({ name }) => name) }
  const totalWorth = depths.reduce((sum, { worth }) => sum + (worth ?? 0n), 0n)
  const pools = depths.map((depth) => describePool(depth, totalWorth))
  const unweighed = pools.find(({ shareBps, burnedBps }) => shareBps === null && burnedBps < MIN_BURNED_BPS)
  if (unweighed) return { code: 'pool_unweighed', pool: unweighed, pools }
  const burnedBps =
    totalWorth > 0n ? burnedShareBps(depths, totalWorth) : Math.min(...pools.map((pool) => pool.burnedBps))
  if (burnedBps >= MIN_BURNED_BPS) return { code: 'burned', burnedBps, pools }
  return { code: burnedBps < 1 ? 'not_burned' : 'partly_burned', burnedBps, pools }
}

/** Eighteen extra digits, so that the shares of small pools do not round to nothing. */
const SHARE_SCALE = 10n ** 18n

function burnedShareBps(depths: readonly PoolDepth[], totalWorth: bigint): number {
  const shares = depths.map(
    ({ worth = 0n, liquidity }) => (worth * SHARE_SCALE * liquidity.burned) / liquidity.total,
  )
  return Number((shares.reduce((sum, share) => sum + share, 0n) * BPS_SCALE) / (totalWorth * SHARE_SCALE))
}

function describePool({ exchange, quote, address, worth, liquidity }: PoolDepth, totalWorth: bigint): Pool {
  return {
    exchange: exchange.name,
    quote: quote.symbol,
    address,
    burnedBps: Number((liquidity.burned * BPS_SCALE) / liquidity.total),
    shareBps: worth === undefined || totalWorth === 0n ? null : Number((worth * BPS_SCALE) / totalWorth),
  }
}
