import type { LeftOutReason } from '#contract/dashboard/payouts.ts'
import type { Terms } from '../terms.ts'

export const POINT_KINDS = ['pf', 'pls', 'referral'] as const
/** Whole points by kind. PF and referral points are paid in the token, PLS points in the coin. */
export type Points = Record<(typeof POINT_KINDS)[number], bigint>

/** A participant with an approved claim. `wallet` is in lower case. */
export type Holder = {
  userId: string
  claimId: string
  wallet: string
  /** Also false if the check of the wallet could not tell. */
  isContract: boolean
  points: Points
}

/** Base units of the token (`pf`) and the coin (`pls`). */
export type AssetAmounts = { pf: bigint; pls: bigint }

/** What a wallet is paid, and what is not paid because it is below the minimum. */
export type Payable = { paid: AssetAmounts; tooLittle: AssetAmounts }

/** Decimals of the campaign file's rates and minimums. */
const RATE_DECIMALS = 18

/**
 * Creates a function that turns a wallet's points into base units. It multiplies exactly and rounds down once
 * per wallet and asset. (Rates have at most 18 decimals, so only assets with fewer decimals are rounded.)
 * Amounts below the minimum of their asset are not paid.
 */
export function createPayableCalculator({
  perPoint,
  minimum,
  token,
  coin,
}: Pick<Terms, 'perPoint' | 'minimum' | 'token' | 'coin'>) {
  const rate = { pf: scaled(perPoint.pf), pls: scaled(perPoint.pls), referral: scaled(perPoint.referral) }
  const exactMinimum = { pf: scaled(minimum.pf), pls: scaled(minimum.pls) }
  const split = (exact: bigint, min: bigint, decimals: number) => {
    const amount = toBaseUnits(exact, decimals)
    return exact < min ? { paid: 0n, tooLittle: amount } : { paid: amount, tooLittle: 0n }
  }
  return (points: Points): Payable => {
    const pf = split(points.pf * rate.pf + points.referral * rate.referral, exactMinimum.pf, token.decimals)
    const pls = split(points.pls * rate.pls, exactMinimum.pls, coin.decimals)
    return {
      paid: { pf: pf.paid, pls: pls.paid },
      tooLittle: { pf: pf.tooLittle, pls: pls.tooLittle },
    }
  }
}

/** A decimal of the campaign file in units of 10^-18. */
function scaled(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(RATE_DECIMALS, '0'))
}

/** Rounds down. @param exact in units of 10^-18 of a whole token or coin. */
function toBaseUnits(exact: bigint, decimals: number): bigint {
  const shift = decimals - RATE_DECIMALS
  return shift >= 0 ? exact * 10n ** BigInt(shift) : exact / 10n ** BigInt(-shift)
}

/** The participants with one wallet, and the sum of their points. */
export type Group = { wallet: string; isContract: boolean; points: Points; holders: readonly Holder[] }

/** @param holders sorted by wallet. */
export async function* groupByWallet(holders: AsyncIterable<Holder>): AsyncGenerator<Group> {
  let sameWallet: Holder[] = []
  for await (const holder of holders) {
    if (sameWallet[0] && sameWallet[0].wallet !== holder.wallet) {
      yield groupOf(sameWallet)
      sameWallet = []
    }
    sameWallet.push(holder)
  }
  if (sameWallet.length > 0) yield groupOf(sameWallet)
}

function groupOf(holders: readonly Holder[]): Group {
  const total = (kind: keyof Points) => holders.reduce((sum, { points }) => sum + points[kind], 0n)
  return {
    wallet: holders[0]?.wallet ?? '',
    // The check may have found the contract for one claim and failed for another.
    isContract: holders.some(({ isContract }) => isContract),
    points: { pf: total('pf'), pls: total('pls'), referral: total('referral') },
    holders,
  }
}

export type FreezeTotals = {
  /** The points of everyone, paid or not. */
  points: Points
  paid: AssetAmounts
  leftOut: Map<LeftOutReason, AssetAmounts & { count: number }> // of wallets or participants
  /** Paid wallets that get an amount of the asset. */
  recipients: Record<keyof AssetAmounts, number>
  /** Paid wallets that are contracts. */
  contracts: number
  /** Paid participants beyond the first of each wallet: 1 if two share a wallet. */
  sharing: number
  /** Upper bound on how many amounts of each asset were rounded. */
  roundings: bigint
}

export const emptyTotals = (): FreezeTotals => ({
  points: { pf: 0n, pls: 0n, referral: 0n },
  paid: { pf: 0n, pls: 0n },
  leftOut: new Map(),
  recipients: { pf: 0, pls: 0 },
  contracts: 0,
  sharing: 0,
  roundings: 0n,
})

/** One base unit, in the units that {@link agreesWithLedger} compares exactly: 10^-18 base units. */
const BASE_UNIT = 10n ** BigInt(RATE_DECIMALS)

/**
 * Whether an allocation accounts for every point of the ledger once: the amounts paid and left out add up to
 * all points at their rates, except for less than one base unit per rounding.
 */
export function agreesWithLedger(
  sums: FreezeTotals,
  ledger: Points,
  { perPoint, token, coin }: Pick<Terms, 'perPoint' | 'token' | 'coin'>,
): boolean {
  if (POINT_KINDS.some((kind) => sums.points[kind] !== ledger[kind])) return false
  const pf = ledger.pf * scaled(perPoint.pf) + ledger.referral * scaled(perPoint.referral)
  const pls = ledger.pls * scaled(perPoint.pls)
  const agrees = (exact: bigint, amount: bigint, decimals: number) => {
    const difference = exact * 10n ** BigInt(decimals) - amount * BASE_UNIT
    // Amounts are rounded only if the asset has fewer decimals than rates.
    const maxDifference = decimals >= RATE_DECIMALS ? 0n : sums.roundings * BASE_UNIT
    return difference >= 0n && difference <= maxDifference
  }
  const accountedFor = (asset: keyof AssetAmounts) =>
    [...sums.leftOut.values()].reduce((sum, amounts) => sum + amounts[asset], sums.paid[asset])
  return agrees(pf, accountedFor('pf'), token.decimals) && agrees(pls, accountedFor('pls'), coin.decimals)
}
