import { MAX_SHARD_BITS, shardKey, type ShardMap } from '#contract/allocation-shards.ts'
import type { RowTable } from '../row-table.ts'

/** Rows `first` to before `end` are in the shard. */
export type ShardRange = { key: string; first: number; end: number }

/** On average a shard has 8 to 16 recipients. */
const MEAN = 16
const FULL = 32

/**
 * Divides the rows among shards by their wallets' first bits. A shard without rows exists too: a missing file then means
 * that the check failed, not that a wallet gets nothing.
 */
export function shardsOf(table: RowTable): { map: ShardMap; shards: ShardRange[] } {
  let bits = 0
  while (table.count > MEAN * 2 ** bits && bits < MAX_SHARD_BITS) bits += 1
  const shards: ShardRange[] = []
  const split: string[] = []

  /** Adds the shard of a prefix, or those of its halves. @returns the row after it. */
  function add(prefix: number, length: number, first: number): number {
    let end = first
    while (end < table.count && table.prefix(end, length) === prefix) end += 1
    const key = shardKey(prefix, length)
    if (end - first <= FULL || length === MAX_SHARD_BITS) shards.push({ key, first, end })
    else {
      split.push(key)
      add(2 * prefix + 1, length + 1, add(2 * prefix, length + 1, first))
    }
    return end
  }

  let row = 0
  for (let prefix = 0; prefix < 2 ** bits; prefix += 1) row = add(prefix, bits, row)
  return { map: { bits, split }, shards }
}
