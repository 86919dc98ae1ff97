import type { RowTable } from '../row-table.ts'
import type { Asset } from '#contract/allocation.ts'
import type { PackFacts } from '../types.ts'

/** The recipients of one asset, in the order of the allocation; places count from 0. */
export type Recipients = {
  count: number
  /** In base units. */
  total: bigint
  decimals: number
  /** Null for the native coin. */
  token: string | null
  /** Row numbers in the allocation, by place. */
  rows: Uint32Array
  wallet: (place: number) => string
  amount: (place: number) => bigint
}

export function recipientsOf(table: RowTable, asset: Asset, { token, coin }: PackFacts): Recipients {
  const rows = table.rowsOf(asset)
  const rowAt = (place: number) => rows[place] as number
  return {
    count: rows.length,
    total: table.totals[asset],
    decimals: asset === 'pf' ? token.decimals : coin.decimals,
    token: asset === 'pf' ? token.contract : null,
    rows,
    wallet: (place) => table.wallet(rowAt(place)),
    amount: (place) => table.amount(rowAt(place), asset),
  }
}
