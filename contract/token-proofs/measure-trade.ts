import { CALL_COUNTS, type Order, tradeAmounts } from './trade.ts'

/** How much of an amount arrived: `failed` if a contract refused, undefined if not measured. */
export type TransferOutcome = { amount: bigint; arrived: bigint } | 'failed' | undefined

/** `rest`: the sales of what was bought beyond `sent` and `sold`, and of what was sent. */
export type TradeMeasurement = {
  bought: TransferOutcome
  sent: TransferOutcome
  sold: TransferOutcome
  rest: readonly TransferOutcome[]
}

/** What one call of a trade returned; `failed` if a contract refused. */
export type StepResult = 'failed' | readonly bigint[]

/**
 * @param steps results of all calls, of purchase, sending, sale, sale of the rest and, if made, resale.
 * @returns undefined if a result makes no sense.
 */
export function measure(order: Order, steps: readonly StepResult[]): TradeMeasurement | undefined {
  const [buyerBefore, buy, buyerAfter, recipientBefore, send, recipientAfter, ...sales] = steps
  if (buy === 'failed') return { bought: 'failed', sent: undefined, sold: undefined, rest: [] }
  const { sent, sold } = tradeAmounts(order)
  const arrived = balanceIncrease(buyerBefore, buyerAfter)
  if (!buy || arrived === undefined) return undefined
  const bought = { amount: order.expected, arrived }
  // With fewer tokens, sending and selling would fail without any fault of the token.
  if (arrived < sent + sold) return { bought, sent: undefined, sold: undefined, rest: [] }
  const sentOutcome = transferOutcome(send, sent, balanceIncrease(recipientBefore, recipientAfter))
  const sale = sales.slice(0, CALL_COUNTS.sale)
  const saleOfRest = sales.slice(CALL_COUNTS.sale, 2 * CALL_COUNTS.sale)
  const resale = sales.slice(2 * CALL_COUNTS.sale)
  const soldOutcome = saleOutcome(sale, ZERO_BALANCE)
  const rest = [saleOutcome(saleOfRest, sale.at(-1))]
  if (resale.length > 0) rest.push(saleOutcome(resale, ZERO_BALANCE))
  if ([sentOutcome, soldOutcome, ...rest].includes(undefined)) return undefined
  return { bought, sent: sentOutcome, sold: soldOutcome, rest }
}

/** The balance of an account that the chain has never seen. */
const ZERO_BALANCE = [0n]

/** @param steps of {@link saleOf}. @param before the receiver's earlier balance of the wrapped coin. */
function saleOutcome(
  [approve, amounts, sell, after]: readonly StepResult[],
  before: StepResult | undefined,
): TransferOutcome {
  return approve === 'failed'
    ? 'failed'
    : transferOutcome(sell, lastAmount(amounts), balanceIncrease(before, after))
}

/** Undefined unless both are balances and the later one is at least as large. */
function balanceIncrease(before: StepResult | undefined, after: StepResult | undefined): bigint | undefined {
  const [from, to] = [singleAmount(before), singleAmount(after)]
  return from === undefined || to === undefined || to < from ? undefined : to - from
}

function transferOutcome(
  step: StepResult | undefined,
  amount: bigint | undefined,
  arrived: bigint | undefined,
): TransferOutcome {
  if (step === 'failed') return 'failed'
  const isMeasured = step !== undefined && amount !== undefined && amount > 0n && arrived !== undefined
  return isMeasured ? { amount, arrived } : undefined
}

const singleAmount = (step: StepResult | undefined) =>
  step?.length === 1 && step !== 'failed' ? step[0] : undefined

/** The last item of an encoded `uint256[]`: offset, length, items. */
const lastAmount = (step: StepResult | undefined) =>
  step === undefined || step === 'failed' || step[1] !== BigInt(step.length - 2) ? undefined : step.at(-1)
