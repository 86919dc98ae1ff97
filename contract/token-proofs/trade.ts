import { encodeCall, type Hex } from './abi.ts'

export type Order = {
  token: Hex
  router: Hex
  /** From the wrapped coin to the token. */
  path: readonly Hex[]
  /** Coins to spend, and the tokens that the exchange promises for them. In smallest units. */
  spend: bigint
  expected: bigint
  /** Accounts that the chain has never seen, so that no token can know them. */
  buyer: Hex
  recipient: Hex
}

/** A call, with the coins that it sends along. */
type StepCall = { to: Hex; data: Hex; value?: bigint }

/** How many calls {@link stepsOf} and {@link saleOf} return for each part. */
export const CALL_COUNTS = { purchase: 3, sending: 3, sale: 4 }

/** The calls of a trade. The tokens are bought for `holder`; the proceeds of sales go to the buyer. */
export function stepsOf(
  order: Order,
  holder: Hex,
): Record<'purchase' | 'sending' | 'sale' | 'rest', StepCall[]> {
  const { token, router, recipient, spend, buyer } = order
  const { sent, sold, rest } = tradeAmounts(order)
  return {
    purchase: [
      balanceCall(token, holder),
      { to: router, value: spend, data: buyCall(order, holder) },
      balanceCall(token, holder),
    ],
    sending: [
      balanceCall(token, recipient),
      { to: token, data: encodeCall('transfer(address,uint256)', recipient, sent) },
      balanceCall(token, recipient),
    ],
    sale: saleOf(order, sold, buyer),
    rest: saleOf(order, rest, buyer),
  }
}

/**
 * `sent` and `sold` are fixed parts of what was expected, since what arrives is not known in advance. `rest`
 * is sold last, so that a token cannot hide a tax behind a balance that it only claims. For the same reason,
 * the recipient sells `resold` if the simulation has separate blocks.
 */
export function tradeAmounts({ expected }: Order): Record<'sent' | 'sold' | 'rest' | 'resold', bigint> {
  const [sent, sold] = [expected / 4n, expected / 2n]
  const rest = expected - sent - sold - expected / TOLERATED_PARTS
  return { sent, sold, rest, resold: sent - sent / TOLERATED_PARTS }
}

/** One part in this many may be missing without counting as a tax. */
const TOLERATED_PARTS = 20_000n

/** Approval, promised proceeds, the sale itself, and the balance of `receiver`, who gets the proceeds. */
export const saleOf = (order: Order, amount: bigint, receiver: Hex): StepCall[] => [
  { to: order.token, data: encodeCall('approve(address,uint256)', order.router, amount) },
  {
    to: order.router,
    data: encodeCall('getAmountsOut(uint256,address[])', amount, order.path.toReversed()),
  },
  { to: order.router, data: sellCall(order, amount, receiver) },
  balanceCall(order.path[0] ?? '', receiver),
]

const balanceCall = (token: Hex, holder: Hex) => ({
  to: token,
  data: encodeCall('balanceOf(address)', holder),
})

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
 * Sells for the wrapped coin, since some contracts cannot take coins. What counts is what the seller gets,
 * not what the pool gets: in the same transaction, a token may sell the tax that it took.
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
