import { decodeWords, type Hex } from './abi.ts'
import { addressOf, type Answer, Inconclusive, unexpectedAnswer, resultOf } from './rpc-answers.ts'
import { BPS_SCALE, type PoolDepth, type PoolLocations, type Venues } from './liquidity.ts'
import type { Reason, Trade } from './proof.ts'
import type { Reader, RecordAnswers } from './reader.ts'
import type { RpcCall } from './rpc.ts'
import type { TradeMeasurement, TransferOutcome } from './measure-trade.ts'
import { simulate } from './simulate-trade.ts'
import type { Order } from './trade.ts'

/** The pool is this many times as large as the trade, which has to stay below limits on trade size. */
const POOL_PARTS = 10_000n
/** In smallest units. With fewer, rounding could hide a tax of 0.01 %, since only parts are sent and sold. */
const MIN_TOKENS = 200_000n
const MIN_COINS = 1_000_000n

export function routerCalls({ viewCall }: Reader, { exchanges }: Venues): RpcCall[] {
  return exchanges.map(({ router }) => viewCall(router, 'factory()'))
}

/** What is known before the trade. `routers`: the answers to {@link routerCalls}. */
export type Market = {
  token: Hex
  venues: Venues
  locations: PoolLocations
  depths: readonly PoolDepth[]
  routers: readonly Answer[]
}

/**
 * Simulates a trade: buys a little of the token in its deepest pool, sends a part on and sells the rest, and
 * compares what arrived with what was promised or sent. This is exact, because the router's promise includes
 * the exchange's fee and the change of the price.
 * @throws {Inconclusive}
 */
export async function judgeTax(
  reader: Reader,
  market: Market,
  randomAddress: () => Hex,
  recordAnswers: RecordAnswers,
): Promise<Reason> {
  const { token, venues, routers } = market
  const pool = pickPool(market)
  if (!pool) return { code: 'no_pool', exchanges: venues.exchanges.map(({ name }) => name) }
  const poolNames = { exchange: pool.exchange.name, quote: pool.quote.symbol }
  const answer = routers[venues.exchanges.indexOf(pool.exchange)]
  if (!answer) throw new Error('A router without an answer')
  recordAnswers([answer])
  if (addressOf(answer) !== pool.exchange.factory)
    return { code: 'router_differs', exchange: pool.exchange.name }
  const path = pathTo(token, pool, venues)
  const spend = (pool.worth ?? 0n) / POOL_PARTS
  const expected =
    spend < MIN_COINS ? 0n : await readExpectedAmount(reader, { pool, path, spend }, recordAnswers)
  if (expected < MIN_TOKENS) return { code: 'pool_too_small', ...poolNames }
  const order: Order = {
    token,
    router: pool.exchange.router,
    path,
    spend,
    expected,
    buyer: randomAddress(),
    recipient: randomAddress(),
  }
  const simulated = await simulate(reader, order, recordAnswers)
  if (!simulated) return { code: 'no_simulation', ...poolNames }
  return judgeTrade(simulated.measured, { method: simulated.method, ...poolNames })
}

/** The deepest pool that can be reached with coins: its quote is the coin, or has a pool with the coin. */
function pickPool({ venues, locations, depths }: Market): PoolDepth | undefined {
  const [coin] = venues.quotes
  const isReachable = ({ exchange, quote }: PoolDepth) =>
    quote.address === coin.address ||
    locations.coinPools.some((pool) => pool.exchange === exchange && pool.quote === quote)
  const reachable = depths.filter(isReachable)
  return reachable.toSorted((a, b) => Number((b.worth ?? 0n) - (a.worth ?? 0n)))[0]
}

function pathTo(token: Hex, { quote }: PoolDepth, { quotes: [coin] }: Venues): Hex[] {
  return quote.address === coin.address ? [coin.address, token] : [coin.address, quote.address, token]
}

async function readExpectedAmount(
  { read, viewCall }: Reader,
  { pool, path, spend }: { pool: PoolDepth; path: readonly Hex[]; spend: bigint },
  recordAnswers: RecordAnswers,
): Promise<bigint> {
  const answers = await read([
    viewCall(pool.exchange.router, 'getAmountsOut(uint256,address[])', spend, path),
  ])
  recordAnswers(answers)
  const [answer] = answers
  if (!answer) throw new Error('A call without an answer')
  const words = decodeWords(resultOf(answer))
  const [offset, count, firstAmount] = words ?? []
  if (offset !== 32n || count !== BigInt(path.length) || words?.length !== 2 + path.length)
    throw unexpectedAnswer(answer)
  if (firstAmount !== spend) throw unexpectedAnswer(answer)
  return words.at(-1) ?? 0n
}

function judgeTrade({ bought, sent, sold, rest }: TradeMeasurement, trade: Trade): Reason {
  // The other methods do everything in one block, in which a token may refuse whatever follows a purchase.
  const isInSeveralBlocks = trade.method === 'simulation'
  if (bought === undefined || bought === 'failed') return { code: 'buy_fails', ...trade }
  if (sold === 'failed' && isInSeveralBlocks) return { code: 'sell_fails', ...trade }
  if (sent === 'failed' && isInSeveralBlocks) return { code: 'transfer_fails', ...trade }
  const taxes = { buyBps: taxOf(bought), transferBps: taxOf(sent), sellBps: highestTax([sold, ...rest]) }
  if (Object.values(taxes).some((bps) => bps !== null && bps > 0))
    return { code: 'taxed', ...taxes, ...trade }
  if (sold === 'failed' || sent === 'failed') return { code: 'sell_fails_at_once', ...trade }
  if (rest.includes('failed')) return { code: 'part_unsold', ...trade }
  if (sold === undefined || sent === undefined)
    throw new Inconclusive({ code: 'odd_answer', method: 'eth_call', answer: '' })
  return { code: 'no_tax', ...trade }
}

function highestTax(sales: readonly TransferOutcome[]): number | null {
  const taxes = sales.map(taxOf).filter((bps) => bps !== null)
  return taxes.length > 0 ? Math.max(...taxes) : null
}

/** In hundredths of a percent, rounded half up; null if not measured. 0 if more arrived than was promised. */
function taxOf(outcome: TransferOutcome): number | null {
  if (outcome === undefined || outcome === 'failed') return null
  const { amount, arrived } = outcome
  if (arrived >= amount) return 0
  return Number((2n * BPS_SCALE * (amount - arrived) + amount) / (2n * amount))
}
