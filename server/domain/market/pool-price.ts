import type { CampaignFile, Markets } from '#contract/campaign-file.ts'
import type { Hex } from '#contract/token-proofs/abi.ts'
import {
  addressOf,
  type Answer,
  Inconclusive,
  numberOf,
  Unusable,
  wordsOf,
} from '#contract/token-proofs/rpc-answers.ts'
import { openReader, type Reader } from '#contract/token-proofs/reader.ts'
import type { Reason } from '#contract/token-proofs/proof.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { marketsOf } from '#contract/token-proofs/subject.ts'
import { describeRpcFailure } from '../chain/rpc.ts'
import { type Decimals, type PoolReserves, priceFromPools } from './pool-rules.ts'
import type { FetchPairs } from './read-price.ts'

/**
 * Creates a client that computes the token's price from the reserves of its pools in the newest block, in
 * three requests. If one answer is missing or impossible, it gives no price at all, because a price from some
 * of the pools could be wrong.
 * @param rpc calls a node. If the node is of another chain, the client gives no price.
 * @returns undefined if there is nothing to ask: a placeholder token, or a chain without known exchanges.
 */
export function createPoolPriceClient(
  rpc: Rpc,
  { token, chain }: Pick<CampaignFile, 'token' | 'chain'>,
): FetchPairs | undefined {
  const markets = marketsOf(chain)
  if (token.placeholder || !markets) return undefined
  const addresses = [token.contract, markets.wrappedCoin, markets.dollar.address] as const
  const tokens = addresses.map((address) => address.toLowerCase()) as [Hex, Hex, Hex]
  const blocksBehind = 0
  return async () => {
    try {
      const reader = await openReader(rpc, chain.id, blocksBehind)
      const { pools, decimals } = await readPools(reader, tokens, markets)
      const [contract, wrappedCoin, dollar] = tokens
      const pairs = priceFromPools(pools, { contract, wrappedCoin, dollar, decimals })
      return { pairs: pairs.map((pair) => ({ ...pair, chainId: chain.slug })) }
    } catch (error) {
      if (error instanceof Unusable || error instanceof Inconclusive)
        return { unclear: describe(error.reason) }
      throw error
    }
  }
}

type Tokens = readonly [contract: Hex, wrappedCoin: Hex, dollar: Hex]

const describe = (reason: Reason) =>
  'failure' in reason ? `${reason.method} ${describeRpcFailure(reason.failure)}` : reason.code

type PossiblePool = { exchange: string; base: Hex; quote: Hex }

async function readPools(
  reader: Reader,
  tokens: Tokens,
  markets: Markets,
): Promise<{ pools: PoolReserves[]; decimals: Decimals }> {
  const [contract, wrappedCoin, dollar] = tokens
  const candidates = markets.exchanges.flatMap(({ name: exchange, factory }) => [
    { exchange, factory, base: contract, quote: wrappedCoin },
    { exchange, factory, base: contract, quote: dollar },
    { exchange, factory, base: wrappedCoin, quote: dollar },
  ])
  const answers = await reader.read([
    ...tokens.map((address) => reader.viewCall(address, 'decimals()')),
    ...candidates.map(({ factory, base, quote }) =>
      reader.viewCall(factory.toLowerCase(), 'getPair(address,address)', base, quote),
    ),
  ])
  const decimals = new Map(tokens.map((address, index) => [address, readDecimals(answers[index])]))
  const pairAnswers = answers.slice(tokens.length)
  const existingPools = candidates.flatMap((pool, index) => {
    const address = addressOf(requireAnswer(pairAnswers[index]))
    return BigInt(address) === 0n ? [] : [{ ...pool, address }]
  })
  const poolAnswers = await reader.read(
    existingPools.flatMap(({ address }) => [
      reader.viewCall(address, 'token0()'),
      reader.viewCall(address, 'getReserves()'),
    ]),
  )
  const pools = existingPools.map((pool, index) => {
    // Two calls were made for each pool.
    const [token0Answer, reservesAnswer] = poolAnswers.slice(2 * index)
    return readPool(pool, token0Answer, reservesAnswer)
  })
  return { pools, decimals }
}

function requireAnswer(answer: Answer | undefined): Answer {
  if (!answer) throw new Error('A call without an answer')
  return answer
}

/** No known token has more, and amounts must not grow without bound. */
const MAX_DECIMALS = 36n

function readDecimals(answer: Answer | undefined): number {
  const decimals = numberOf(requireAnswer(answer))
  if (decimals > MAX_DECIMALS) throw oddAnswer('decimals', decimals)
  return Number(decimals)
}

const oddAnswer = (method: string, value: unknown) =>
  new Inconclusive({ code: 'odd_answer', method, answer: String(value).slice(0, 80) })

function readPool(
  { exchange, address, base, quote }: PossiblePool & { address: Hex },
  token0Answer: Answer | undefined,
  reservesAnswer: Answer | undefined,
): PoolReserves {
  const token0 = addressOf(requireAnswer(token0Answer))
  // The third word is the time of the last change.
  const [reserve0 = 0n, reserve1 = 0n] = wordsOf(requireAnswer(reservesAnswer), 3)
  if (token0 !== base && token0 !== quote) throw oddAnswer('token0', token0)
  const [baseReserve, quoteReserve] = token0 === base ? [reserve0, reserve1] : [reserve1, reserve0]
  return { exchange, address, base, quote, baseReserve, quoteReserve }
}
