import {
  decodeAggregate,
  decodeWords,
  encode,
  encodeAggregate,
  encodeCall,
  type Hex,
  type Outcome,
} from './abi.ts'
import { type Answer } from './answers.ts'
import { PROBE_CODE } from './probe-code.ts'
import type { TradeMethod } from './proof.ts'
import { type Reader, toQuantity } from './reader.ts'
import type { RpcCall } from './rpc.ts'

/** A trade to simulate. */
export type Order = {
  token: Hex
  pool: Hex
  router: Hex
  /** From the wrapped coin to the token. */
  path: readonly Hex[]
  /** Coins to spend, and the tokens that the exchange promises for them, in their smallest units. */
  spend: bigint
  promised: bigint
  /** Accounts that the chain has never seen, so that no token can know them. */
  buyer: Hex
  friend: Hex
}

/** What became of an amount on its way: `failed` is a refusal by a contract, undefined was not measured. */
export type Passage = { amount: bigint; arrived: bigint } | 'failed' | undefined

export type Measured = { bought: Passage; sent: Passage; sold: Passage }

/** How to ask for a simulation and read it. Undefined where the node's answer is not one. */
export type Simulation = {
  method: TradeMethod
  call(order: Order, tag: Hex): RpcCall
  read(result: unknown, order: Order): Measured | undefined
}

/** Year 36812: routers refuse trades after their deadline. */
const DEADLINE = 2n ** 40n

const buyCall = ({ path }: Order, receiver: Hex) =>
  encodeCall(
    'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)',
    0n,
    path,
    receiver,
    DEADLINE,
  )

const sellCall = ({ path }: Order, amount: bigint, receiver: Hex) =>
  encodeCall(
    'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
    amount,
    0n,
    path.toReversed(),
    receiver,
    DEADLINE,
  )

/** Sent and sold are fixed parts of what was promised, since what arrives is not known before. */
const partsOf = ({ promised }: Order) => ({ sent: promised / 4n, sold: promised / 2n })

/** A result of a call, as the two simulations that make several calls see it. */
type Step = 'failed' | { word: bigint | undefined }

/** @param steps buy, balance, send, friend's balance, approve, pool before, sell, pool after. */
function measure(order: Order, steps: readonly Step[], before: bigint): Measured | undefined {
  const [buy, balance, send, received, approve, poolBefore, sell, poolAfter] = steps
  if (buy === 'failed') return { bought: 'failed', sent: undefined, sold: undefined }
  const { sent, sold } = partsOf(order)
  const arrived = difference(balance, before)
  if (!buy || arrived === undefined) return undefined
  const bought = { amount: order.promised, arrived }
  // Without enough of the token, both would fail for no fault of its own.
  if (arrived < sent + sold) return { bought, sent: undefined, sold: undefined }
  const pool = wordOf(poolBefore)
  const sentPassage = passage(send, sent, difference(received, 0n))
  const gained = pool === undefined ? undefined : difference(poolAfter, pool)
  const soldPassage = approve === 'failed' ? 'failed' : passage(sell, sold, gained)
  return sentPassage === undefined || soldPassage === undefined
    ? undefined
    : { bought, sent: sentPassage, sold: soldPassage }
}

function passage(step: Step | undefined, amount: bigint, arrived: bigint | undefined): Passage {
  if (step === 'failed') return 'failed'
  return step === undefined || arrived === undefined ? undefined : { amount, arrived }
}

const wordOf = (step: Step | undefined) => (step === undefined || step === 'failed' ? undefined : step.word)

function difference(step: Step | undefined, before: bigint): bigint | undefined {
  const word = wordOf(step)
  return word === undefined || word < before ? undefined : word - before
}

/** Purchase, sending and sale in a block each, so that a token with a pause between transfers is not taken for a trap. */
const inBlocks: Simulation = {
  method: 'simulation',
  call(order, tag) {
    const { token, pool, router, buyer, friend, spend } = order
    const { sent, sold } = partsOf(order)
    const from = (to: Hex, data: Hex, value = 0n) => ({ from: buyer, to, data, value: toQuantity(value) })
    const blocks = [
      [from(router, buyCall(order, buyer), spend), from(token, encodeCall('balanceOf(address)', buyer))],
      [
        from(token, encodeCall('transfer(address,uint256)', friend, sent)),
        from(token, encodeCall('balanceOf(address)', friend)),
      ],
      [
        from(token, encodeCall('approve(address,uint256)', router, sold)),
        from(token, encodeCall('balanceOf(address)', pool)),
        from(router, sellCall(order, sold, buyer)),
        from(token, encodeCall('balanceOf(address)', pool)),
      ],
    ]
    const [first, ...others] = blocks.map((calls) => ({ calls }))
    const funds = { [buyer]: { balance: toQuantity(fundsFor(order)) } }
    const blockStateCalls = [{ ...first, stateOverrides: funds }, ...others]
    return { method: 'eth_simulateV1', params: [{ blockStateCalls, validation: false }, tag] }
  },
  read(result, order) {
    if (!Array.isArray(result) || result.length !== 3) return undefined
    const calls = result.map((block: { calls?: unknown } | null) => block?.calls)
    const counts = calls.map((list) => (Array.isArray(list) ? list.length : 0))
    if (counts.join() !== '2,2,4') return undefined
    const steps = calls.flat().map(readStep)
    return steps.includes(undefined) ? undefined : measure(order, steps as Step[], 0n)
  },
}

/** Twice what is spent, and a coin for the network's fee where a node insists on it. */
const fundsFor = ({ spend }: Order) => 2n * spend + 10n ** 18n

/** A call of eth_simulateV1. Only a refusal by a contract is a failure; without fuel, or for another reason, it says nothing. */
function readStep(call: unknown): Step | undefined {
  if (typeof call !== 'object' || call === null) return undefined
  const { status, returnData, error } = call as Record<string, unknown>
  if (status === '0x1') return { word: decodeWords(returnData)?.[0] }
  const { code, message } = (typeof error === 'object' && error ? error : {}) as Record<string, unknown>
  const gaveReason = typeof returnData === 'string' && /^0x[0-9a-f]{8,}$/i.test(returnData)
  const isRefusal = code === 3 || gaveReason || (typeof message === 'string' && message.includes('revert'))
  return status === '0x0' && isRefusal ? 'failed' : undefined
}

/** A contract buys and sells while it is created. Some tokens treat contracts differently, few can tell this one. */
const inProbe: Simulation = {
  method: 'probe',
  call(order, tag) {
    const { router, path, pool, friend, buyer, spend } = order
    const data = `${PROBE_CODE}${encode([router, path, pool, friend])}`
    const funds = { [buyer]: { balance: toQuantity(fundsFor(order)) } }
    return { method: 'eth_call', params: [{ from: buyer, data, value: toQuantity(spend) }, tag, funds] }
  },
  read(result, { promised: expected }) {
    const words = decodeWords(result)
    if (words?.length !== 8) return undefined
    const [promised = 0n, arrived = 0n, sent = 0n, received = 0n, sold = 0n, isSold, gained = 0n, isBought] =
      words
    if (promised !== expected) return undefined
    if (isBought !== 1n) return { bought: 'failed', sent: undefined, sold: undefined }
    return {
      bought: { amount: promised, arrived },
      sent: sent === 0n ? 'failed' : { amount: sent, arrived: received },
      sold: isSold === 1n ? { amount: sold, arrived: gained } : 'failed',
    }
  },
}

/** At this address on nearly every chain. */
const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'

/**
 * Multicall3 buys and sells with coins of an account that has some, the wrapped coin's contract, which needs no override.
 * The proceeds go to the buyer: Multicall3 takes no coins.
 */
const inMulticall: Simulation = {
  method: 'multicall',
  call(order, tag) {
    const { token, pool, router, path, friend, buyer, spend } = order
    const { sent, sold } = partsOf(order)
    const balanceOf = (holder: Hex) => ({ to: token, data: encodeCall('balanceOf(address)', holder) })
    const data = encodeAggregate([
      balanceOf(MULTICALL),
      { to: router, value: spend, data: buyCall(order, MULTICALL) },
      balanceOf(MULTICALL),
      { to: token, data: encodeCall('transfer(address,uint256)', friend, sent) },
      balanceOf(friend),
      { to: token, data: encodeCall('approve(address,uint256)', router, sold) },
      balanceOf(pool),
      { to: router, data: sellCall(order, sold, buyer) },
      balanceOf(pool),
    ])
    return {
      method: 'eth_call',
      params: [{ from: path[0], to: MULTICALL, data, value: toQuantity(spend) }, tag],
    }
  },
  read(result, order) {
    const [before, ...outcomes] = decodeAggregate(result, 9) ?? []
    if (before?.word === undefined) return undefined
    return measure(order, outcomes.map(toStep), before.word)
  },
}

const toStep = ({ succeeded, word }: Outcome): Step => (succeeded ? { word } : 'failed')

/** From the strongest evidence to the weakest. */
const SIMULATIONS = [inBlocks, inProbe, inMulticall]

/** What a trade came to, by the first way that the node offers. */
export async function simulate(
  { read, tag }: Reader,
  order: Order,
  note: (answers: readonly Answer[]) => void,
): Promise<{ method: TradeMethod; measured: Measured } | undefined> {
  for (const { method, call, read: readResult } of SIMULATIONS) {
    const answers = await read([call(order, tag)])
    note(answers)
    const [{ reply } = { reply: { result: undefined } }] = answers
    const measured = 'result' in reply ? readResult(reply.result, order) : undefined
    if (measured) return { method, measured }
  }
  return undefined
}
