import type { Terms } from '../terms.ts'

export const POINT_KINDS = ['pf', 'pls', 'referral'] as const
/** Whole points by kind. PF and referral points are paid in the token, PLS points in the coin. */
export type Points = Record<(typeof POINT_KINDS)[number], bigint>

/** A participant with an approved claim. `wallet` is in lower case. */
export type Holder = {
  userId: string
  claimId: string
  wallet: string
  /** Whether the check of the wallet found a contract; false also if it could not tell. */
  isContract: boolean
  points: Points
}

/** Base units of token and coin. */
export type AssetAmounts = { pf: bigint; pls: bigint }

/** What a wallet is paid, and what is not paid because it is below the minimum. */
export type Payable = { paid: AssetAmounts; tooLittle: AssetAmounts }

/** Decimals of the campaign file's rates and minimums. */
export const RATE_DECIMALS = 18

/**
 * A function that turns the points of a wallet into base units. It multiplies exactly and then rounds down,
 * once per wallet and asset; for an asset with 18 decimals or more there is nothing to round, since rates
 * have at most 18. Amounts below the minimum of their asset are not paid.
 */
export function createPayableCalculator({
  perPoint,
  minimum,
  token,
  coin,
}: Pick<Terms, 'perPoint' | 'minimum' | 'token' | 'coin'>) {
  // Rates, minimums and exact amounts are in units of 10^-18 of a whole token or coin.
  const rate = { pf: scaled(perPoint.pf), pls: scaled(perPoint.pls), referral: scaled(perPoint.referral) }
  const minExact = { pf: scaled(minimum.pf), pls: scaled(minimum.pls) }
  const split = (exact: bigint, min: bigint, decimals: number) => {
    const amount = toBaseUnits(exact, decimals)
    return exact < min ? { paid: 0n, tooLittle: amount } : { paid: amount, tooLittle: 0n }
  }
  return (points: Points): Payable => {
    const pf = split(points.pf * rate.pf + points.referral * rate.referral, minExact.pf, token.decimals)
    const pls = split(points.pls * rate.pls, minExact.pls, coin.decimals)
    return {
      paid: { pf: pf.paid, pls: pls.paid },
      tooLittle: { pf: pf.tooLittle, pls: pls.tooLittle },
    }
  }
}

/** A decimal of the campaign file in units of 10^-18. */
export function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(RATE_DECIMALS, '0'))
}

/** Rounds down. @param exact in units of 10^-18 of a whole token or coin. */
function toBaseUnits(exact: bigint, decimals: number): bigint {
  const shift = decimals - RATE_DECIMALS
  return shift >= 0 ? exact * 10n ** BigInt(shift) : exact / 10n ** BigInt(-shift)
}

/** The participants who are paid to one wallet, with their points together. */
export type Group = { wallet: string; isContract: boolean; points: Points; holders: readonly Holder[] }

/** Groups participants by their wallets. @param holders sorted by wallet. */
export async function* groupByWallet(holders: AsyncIterable<Holder>): AsyncGenerator<Group> {
  let group: Holder[] = []
  for await (const holder of holders) {
    if (group[0] && group[0].wallet !== holder.wallet) {
      yield groupOf(group)
      group = []
    }
    group.push(holder)
  }
  if (group.length > 0) yield groupOf(group)
}

function groupOf(holders: readonly Holder[]): Group {
  const total = (kind: keyof Points) => holders.reduce((sum, { points }) => sum + points[kind], 0n)
  return {
    wallet: holders[0]?.wallet ?? '',
    // For one of the claims, the check may have found the contract; for another, it could not tell.
    isContract: holders.some(({ isContract }) => isContract),
    points: { pf: total('pf'), pls: total('pls'), referral: total('referral') },
    holders,
  }
}
