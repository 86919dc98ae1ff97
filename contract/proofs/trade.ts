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
  call(order: Order, reader: Reader): RpcCall
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

/**
 * For the wrapped coin, since some contracts cannot take coins. What counts is what the seller gets: a token may sell the
 * tax it took in the same transaction, so that the pool gets all of the tokens.
 */
const sellCall = ({ path }: Order, amount: bigint, receiver: Hex) =>
  encodeCall(
    'swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
    amount,
    0n,
    path.toReversed(),
    receiver,
    DEADLINE,
  )

/** Sent and sold are fixed parts of what was promised, since what arrives is not known before. */
const partsOf = ({ promised }: Order) => ({ sent: promised / 4n, sold: promised / 2n })

/** A call, with the coins that it takes. */
type StepCall = { to: Hex; data: Hex; value?: bigint }

/** A trade call by call. `buyer`: who holds the tokens; the proceeds go to `order.buyer`. */
function stepsOf(order: Order, buyer: Hex): Record<'purchase' | 'sending' | 'sale', StepCall[]> {
  const { token, router, path, friend, spend } = order
  const [coin = ''] = path
  const { sent, sold } = partsOf(order)
  const balanceOf = (of: Hex, holder: Hex) => ({ to: of, data: encodeCall('balanceOf(address)', holder) })
  return {
    purchase: [{ to: router, value: spend, data: buyCall(order, buyer) }, balanceOf(token, buyer)],
    sending: [
      { to: token, data: encodeCall('transfer(address,uint256)', friend, sent) },
      balanceOf(token, friend),
    ],
    sale: [
      { to: token, data: encodeCall('approve(address,uint256)', router, sold) },
      { to: router, data: encodeCall('getAmountsOut(uint256,address[])', sold, path.toReversed()) },
      { to: router, data: sellCall(order, sold, order.buyer) },
      balanceOf(coin, order.buyer),
    ],
  }
}

/** The result of a step. */
type Step = 'failed' | readonly bigint[]

/** @param steps results of purchase, sending and sale. @param before the buyer's tokens. */
function measure(order: Order, steps: readonly Step[], before: bigint): Measured | undefined {
  const [buy, balance, send, received, approve, promise, sell, proceeds] = steps
  if (buy === 'failed') return { bought: 'failed', sent: undefined, sold: undefined }
  const { sent, sold } = partsOf(order)
  const now = only(balance)
  if (!buy || now === undefined || now < before) return undefined
  const bought = { amount: order.promised, arrived: now - before }
  // Without enough of the token, both would fail for no fault of its own.
  if (bought.arrived < sent + sold) return { bought, sent: undefined, sold: undefined }
  const sentPassage = passage(send, sent, only(received))
  const soldPassage = approve === 'failed' ? 'failed' : passage(sell, lastOf(promise), only(proceeds))
  if (sentPassage === undefined || soldPassage === undefined) return undefined
  return { bought, sent: sentPassage, sold: soldPassage }
}

function passage(step: Step | undefined, amount: bigint | undefined, arrived: bigint | undefined): Passage {
  if (step === 'failed') return 'failed'
  const isMeasured = step !== undefined && amount !== undefined && amount > 0n && arrived !== undefined
  return isMeasured ? { amount, arrived } : undefined
}

const only = (step: Step | undefined) => (step?.length === 1 && step !== 'failed' ? step[0] : undefined)

/** The last amount of a list. */
const lastOf = (step: Step | undefined) =>
  step === undefined || step === 'failed' || step[1] !== BigInt(step.length - 2) ? undefined : step.at(-1)

/** Seconds between the blocks of a trade: longer than the pauses that tokens put between transfers against bots. */
const PAUSE = 3_600

/** Purchase, sending and sale in a block each, so that a token with a pause between transfers is not taken for a trap. */
const inBlocks: Simulation = {
  method: 'simulation',
  call(order, { tag, block, baseFee }) {
    const { purchase, sending, sale } = stepsOf(order, order.buyer)
    const [first, ...others] = [purchase, sending, sale].map((steps, index) => ({
      blockOverrides: {
        time: toQuantity(block.time + (index + 1) * PAUSE),
        ...(baseFee === undefined ? {} : { baseFeePerGas: toQuantity(baseFee) }),
      },
      calls: steps.map(({ value = 0n, ...step }) => ({
        from: order.buyer,
        ...step,
        ...paying(STEP_GAS, baseFee),
        value: toQuantity(value),
      })),
    }))
    const funds = { [order.buyer]: { balance: toQuantity(fundsFor(order)) } }
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

/** Enough for the network's fee as well, in the coin's smallest unit. */
const fundsFor = ({ spend }: Order) => 2n * spend + 10n ** 30n

/**
 * Gas for a step, and for a trade in one transaction: several times what they need. A node's own limit may be so high
 * that nobody could pay for it.
 */
const STEP_GAS = 5_000_000n
const TRADE_GAS = 15_000_000n

/** Pays for gas as people do: some tokens take a call that pays nothing for a simulation, and behave. */
function paying(gas: bigint, baseFee: bigint | undefined): { gas: Hex; gasPrice?: Hex } {
  return { gas: toQuantity(gas), ...(baseFee === undefined ? {} : { gasPrice: toQuantity(2n * baseFee) }) }
}

/** A call of eth_simulateV1. Only a refusal by a contract is a failure; without fuel, or for another reason, it says nothing. */
function readStep(call: unknown): Step | undefined {
  if (typeof call !== 'object' || call === null) return undefined
  const { status, returnData, error } = call as Record<string, unknown>
  if (status === '0x1') return decodeWords(returnData) ?? []
  const { code, message } = (typeof error === 'object' && error ? error : {}) as Record<string, unknown>
  const gaveReason = typeof returnData === 'string' && /^0x[0-9a-f]{8,}$/i.test(returnData)
  const isRefusal = code === 3 || gaveReason || (typeof message === 'string' && message.includes('revert'))
  return status === '0x0' && isRefusal ? 'failed' : undefined
}

/** A contract buys and sells while it is created. Some tokens treat contracts differently, few can tell this one. */
const inProbe: Simulation = {
  method: 'probe',
  call(order, { tag, baseFee }) {
    const { router, path, friend, buyer, spend } = order
    const data = `${PROBE_CODE}${encode([router, path, friend])}`
    const funds = { [buyer]: { balance: toQuantity(fundsFor(order)) } }
    const transaction = { from: buyer, data, value: toQuantity(spend), ...paying(TRADE_GAS, baseFee) }
    return { method: 'eth_call', params: [transaction, tag, funds] }
  },
  read(result, { promised: expected }) {
    const words = decodeWords(result)
    if (words?.length !== 8) return undefined
    const [
      promised = 0n,
      arrived = 0n,
      sent = 0n,
      received = 0n,
      worth = 0n,
      isSold,
      proceeds = 0n,
      isBought,
    ] = words
    if (promised !== expected) return undefined
    if (isBought !== 1n) return { bought: 'failed', sent: undefined, sold: undefined }
    return {
      bought: { amount: promised, arrived },
      sent: sent === 0n ? 'failed' : { amount: sent, arrived: received },
      sold: isSold === 1n ? { amount: worth, arrived: proceeds } : 'failed',
    }
  },
}

/** At this address on nearly every chain. */
const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'

/**
 * Multicall3 buys and sells with coins of an account that has some, the wrapped coin's contract, which needs no override.
 */
const inMulticall: Simulation = {
  method: 'multicall',
  call(order, { tag, baseFee }) {
    const { purchase, sending, sale } = stepsOf(order, MULTICALL)
    const before = { to: order.token, data: encodeCall('balanceOf(address)', MULTICALL) }
    const data = encodeAggregate([before, ...purchase, ...sending, ...sale])
    const value = toQuantity(order.spend)
    const transaction = { from: order.path[0], to: MULTICALL, data, value, ...paying(TRADE_GAS, baseFee) }
    return { method: 'eth_call', params: [transaction, tag] }
  },
  read(result, order) {
    const [before, ...outcomes] = (decodeAggregate(result, 9) ?? []).map(toStep)
    const held = only(before)
    return held === undefined ? undefined : measure(order, outcomes, held)
  },
}

const toStep = ({ succeeded, words }: Outcome): Step => (succeeded ? words : 'failed')

/** From the strongest evidence to the weakest. */
const SIMULATIONS = [inBlocks, inProbe, inMulticall]

/** What a trade came to, by the first way that the node offers. */
export async function simulate(
  reader: Reader,
  order: Order,
  note: (answers: readonly Answer[]) => void,
): Promise<{ method: TradeMethod; measured: Measured } | undefined> {
  for (const { method, call, read: readResult } of SIMULATIONS) {
    const answers = await reader.read([call(order, reader)])
    note(answers)
    const [{ reply } = { reply: { result: undefined } }] = answers
    const measured = 'result' in reply ? readResult(reply.result, order) : undefined
    if (measured) return { method, measured }
  }
  return undefined
}
