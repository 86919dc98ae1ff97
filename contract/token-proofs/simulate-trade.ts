import { decodeAggregate, decodeWords, encode, encodeAggregate, type Hex, type Outcome } from './abi.ts'
import { measure, type StepResult, type TradeMeasurement, type TransferOutcome } from './measure-trade.ts'
import { PROBE_CODE } from './probe-code.ts'
import type { TradeMethod } from './proof.ts'
import { type Reader, type RecordAnswers, toQuantity } from './reader.ts'
import { Inconclusive } from './rpc-answers.ts'
import type { RpcCall } from './rpc.ts'
import { CALL_COUNTS, type Order, saleOf, stepsOf, tradeAmounts } from './trade.ts'

type Simulation = {
  method: TradeMethod
  call(order: Order, reader: Reader): RpcCall
  /**
   * Undefined if the node does not support this method.
   * @throws {Inconclusive} if it does, but the token's answers make no sense.
   */
  read(result: unknown, order: Order): TradeMeasurement | undefined
}

/** Between the blocks of a trade: longer than the pauses that some tokens demand between transfers. */
const BLOCK_SECONDS = 3_600

/** Each step has its own block: a token with a pause between transfers must not be taken for a trap. */
const blockSimulation: Simulation = {
  method: 'simulation',
  call(order, { tag, block, baseFee }) {
    const { buyer, recipient } = order
    const { purchase, sending, sale, rest } = stepsOf(order, buyer)
    const resale = saleOf(order, tradeAmounts(order).resold, recipient)
    const [firstBlock, ...otherBlocks] = [purchase, sending, sale, rest, resale].map((steps, index) => ({
      blockOverrides: {
        time: toQuantity(block.time + (index + 1) * BLOCK_SECONDS),
        ...(baseFee === undefined ? {} : { baseFeePerGas: toQuantity(baseFee) }),
      },
      calls: steps.map(({ value = 0n, ...step }) => ({
        from: steps === resale ? recipient : buyer,
        ...step,
        ...gasOptions(STEP_GAS, baseFee),
        value: toQuantity(value),
      })),
    }))
    const balance = toQuantity(fundsFor(order))
    const funds = { [buyer]: { balance }, [recipient]: { balance } }
    const blockStateCalls = [{ ...firstBlock, stateOverrides: funds }, ...otherBlocks]
    return { method: 'eth_simulateV1', params: [{ blockStateCalls, validation: false }, tag] }
  },
  read(result, order) {
    if (!Array.isArray(result)) return undefined
    const { purchase, sending, sale } = CALL_COUNTS
    const calls = result.map((block: { calls?: unknown } | null) => block?.calls)
    const counts = calls.map((list) => (Array.isArray(list) ? list.length : 0))
    // Sales of a part, of the rest and of what was sent.
    if (counts.join() !== [purchase, sending, sale, sale, sale].join()) return undefined
    const steps = calls.flat().map(readStepResult)
    if (steps.includes(undefined)) return undefined
    const measured = measure(order, steps as StepResult[])
    // The node can simulate. A token that answers nonsense must not get away with a weaker method.
    if (!measured) throw new Inconclusive({ code: 'odd_answer', method: 'eth_simulateV1', answer: '' })
    return measured
  },
}

/** In the coin's smallest unit; enough for the network's fee as well. */
const fundsFor = ({ spend }: Order) => 2n * spend + 10n ** 30n

/** Several times what is needed. A node's own limit may be so high that nobody could pay for it. */
const STEP_GAS = 5_000_000n
const TRADE_GAS = 15_000_000n

/** Pays for gas as people do: some tokens recognize a simulation by a gas price of zero, and take no tax. */
function gasOptions(gas: bigint, baseFee: bigint | undefined): { gas: Hex; gasPrice?: Hex } {
  return { gas: toQuantity(gas), ...(baseFee === undefined ? {} : { gasPrice: toQuantity(2n * baseFee) }) }
}

/**
 * Reads a call of eth_simulateV1. Undefined if it failed other than by a revert (code 3), as for lack of gas,
 * which says nothing about the token.
 */
function readStepResult(call: unknown): StepResult | undefined {
  if (typeof call !== 'object' || call === null) return undefined
  const { status, returnData, error } = call as Record<string, unknown>
  if (status === '0x1') return decodeWords(returnData) ?? []
  const { code, message } = (typeof error === 'object' && error ? error : {}) as Record<string, unknown>
  const hasRevertData = typeof returnData === 'string' && /^0x[0-9a-f]{8,}$/i.test(returnData)
  const isRefusal = code === 3 || hasRevertData || (typeof message === 'string' && message.includes('revert'))
  return status === '0x0' && isRefusal ? 'failed' : undefined
}

/** The probe returns four amounts, two sales of three words each, and whether it could buy. */
const PROBE_WORDS = 4 + 2 * 3 + 1

/** A contract trades while it is created. Some tokens treat contracts differently; few recognize this one. */
const probeSimulation: Simulation = {
  method: 'probe',
  call(order, { tag, baseFee }) {
    const { router, path, recipient, buyer, spend } = order
    const data = `${PROBE_CODE}${encode([router, path, recipient])}`
    const funds = { [buyer]: { balance: toQuantity(fundsFor(order)) } }
    const transaction = { from: buyer, data, value: toQuantity(spend), ...gasOptions(TRADE_GAS, baseFee) }
    return { method: 'eth_call', params: [transaction, tag, funds] }
  },
  read(result, { expected }) {
    const words = decodeWords(result)
    if (words?.length !== PROBE_WORDS) return undefined
    const [promised = 0n, arrived = 0n, sent = 0n, received = 0n] = words
    if (promised !== expected) return undefined // The probe saw another state, or did not run.
    if (words.at(-1) !== 1n) return { bought: 'failed', sent: undefined, sold: undefined, rest: [] }
    const saleFrom = ([promisedCoins = 0n, isSold, proceeds = 0n]: readonly bigint[]): TransferOutcome =>
      isSold === 1n ? { amount: promisedCoins, arrived: proceeds } : 'failed'
    return {
      bought: { amount: promised, arrived },
      sent: sent === 0n ? 'failed' : { amount: sent, arrived: received },
      sold: saleFrom(words.slice(4, 7)),
      rest: [saleFrom(words.slice(7, 10))],
    }
  },
}

/** The address of Multicall3 on nearly every chain. */
const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11'

/** Calls from the wrapped coin's contract, which has coins to spend: no balance has to be overridden. */
const multicallSimulation: Simulation = {
  method: 'multicall',
  call(order, { tag, baseFee }) {
    const { purchase, sending, sale, rest } = stepsOf(order, MULTICALL)
    const data = encodeAggregate([...purchase, ...sending, ...sale, ...rest])
    const value = toQuantity(order.spend)
    const transaction = { from: order.path[0], to: MULTICALL, data, value, ...gasOptions(TRADE_GAS, baseFee) }
    return { method: 'eth_call', params: [transaction, tag] }
  },
  read(result, order) {
    const { purchase, sending, sale } = CALL_COUNTS
    const outcomes = decodeAggregate(result, purchase + sending + 2 * sale)
    return outcomes && measure(order, outcomes.map(toStepResult))
  },
}

const toStepResult = ({ succeeded, words }: Outcome): StepResult => (succeeded ? words : 'failed')

/** From the strongest evidence to the weakest. */
const SIMULATIONS = [blockSimulation, probeSimulation, multicallSimulation]

/** Simulates a trade by the strongest method that the node supports; undefined if it supports none. */
export async function simulate(
  reader: Reader,
  order: Order,
  recordAnswers: RecordAnswers,
): Promise<{ method: TradeMethod; measured: TradeMeasurement } | undefined> {
  for (const { method, call, read: readResult } of SIMULATIONS) {
    const answers = await reader.read([call(order, reader)])
    recordAnswers(answers)
    const reply = answers[0]?.reply
    const measured = reply && 'result' in reply ? readResult(reply.result, order) : undefined
    if (measured) return { method, measured }
  }
  return undefined
}
