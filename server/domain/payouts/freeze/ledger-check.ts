import type { LeftOutReason } from '#contract/dashboard/payouts.ts'
import type { Terms } from '../terms.ts'
import { type AssetAmounts, POINT_KINDS, type Points, RATE_DECIMALS, scaled } from './allocate.ts'

/** What a freeze adds up while it goes through the participants. */
export type FreezeTotals = {
  /** The points of everyone, paid or not. */
  points: Points
  paid: AssetAmounts
  leftOut: Map<LeftOutReason, AssetAmounts & { count: number }>
  /** Rows with an amount of the asset. */
  recipients: Record<keyof AssetAmounts, number>
  /** Rows whose wallet is a contract. */
  contracts: number
  /** Paid participants beyond the first of each row: 1 if two share one. */
  sharing: number
  /** How many amounts of each asset were rounded, at most. */
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

/** One base unit in units of 10^-18 base units, in which amounts are exact. */
const BASE_UNIT = 10n ** BigInt(RATE_DECIMALS)

/**
 * Whether an allocation accounts for every point of the ledger: none is missing or counted twice, and what is
 * paid and what is left out add up to all points at their rates, except for less than one base unit per
 * rounding.
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
    // With as many decimals as rates have, or more, no amount is rounded.
    const maxDifference = decimals >= RATE_DECIMALS ? 0n : sums.roundings * BASE_UNIT
    return difference >= 0n && difference <= maxDifference
  }
  const accountedFor = (asset: keyof AssetAmounts) =>
    [...sums.leftOut.values()].reduce((sum, amounts) => sum + amounts[asset], sums.paid[asset])
  return agrees(pf, accountedFor('pf'), token.decimals) && agrees(pls, accountedFor('pls'), coin.decimals)
}
