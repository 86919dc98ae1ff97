import { INTL_TAG } from '#messages/locale.js'
import type { Asset } from '#contract/allocation.ts'
import { toWholeUnits } from '#contract/whole-units.ts'

/** An amount to show; `fraction` begins with the decimal separator. */
export type UnitParts = { whole: string; fraction: string }

/**
 * Converts base units to whole units with grouped thousands, exactly and without trailing zeros: in English,
 * 1234500000 with 6 decimals is `1,234` and `.5`.
 * @param tag the language for `Intl`; by default that of the build.
 */
export function unitParts(amount: bigint, decimals: number, tag: string = INTL_TAG): UnitParts {
  const [whole = '', fraction] = toWholeUnits(amount, decimals).split('.')
  return {
    whole: new Intl.NumberFormat(tag).format(BigInt(whole)),
    // A long fraction would lose digits if it were formatted as a number.
    fraction: fraction === undefined ? '' : decimalSeparator(tag) + fraction,
  }
}

export function groupedUnits(amount: bigint, decimals: number, tag: string = INTL_TAG): string {
  const { whole, fraction } = unitParts(amount, decimals, tag)
  return whole + fraction
}

export type Unit = { symbol: string; decimals: number }

export const unitOf = ({ token, coin }: Record<'token' | 'coin', Unit>, asset: Asset): Unit =>
  asset === 'pf' ? token : coin

export const unitsInWords = (amount: bigint, { symbol, decimals }: Unit): string =>
  `${groupedUnits(amount, decimals)} ${symbol}`

/** The campaign file's supply, which has English separators, with the separators of a language. */
export const groupedSupply = ({ supply }: { supply: string }, tag?: string): string =>
  groupedUnits(BigInt(supply.replaceAll(',', '')), 0, tag)

const decimalSeparator = (tag: string): string =>
  new Intl.NumberFormat(tag).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
