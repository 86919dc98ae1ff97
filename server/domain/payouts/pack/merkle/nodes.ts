import { WORD_BYTES } from './encode-leaf.ts'
import type { Keccak } from './keccak.ts'

/** Nodes are consecutive words of 32 bytes: objects and hexadecimal text would cost ten times the memory. */
export type Nodes = Buffer

export const nodeAt = (nodes: Nodes, index: number): Buffer =>
  nodes.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES)

/** A node as `0x` and 64 digits. */
export const hexAt = (nodes: Nodes, index: number): string =>
  `0x${nodes.toString('hex', index * WORD_BYTES, (index + 1) * WORD_BYTES)}`

/**
 * The order of leaves by their bytes, as row numbers; equal leaves stay in the order of their rows. Hashes
 * are evenly distributed, so that a sort by their first four bytes leaves next to nothing to compare.
 */
export function orderOfLeaves(leaves: Nodes, count: number): Uint32Array {
  const keyOf = (row: number) => leaves.readUInt32BE(row * WORD_BYTES)
  // The key above the row, in 64 bits: sorting numbers calls no function for each comparison.
  const entries = new BigUint64Array(count)
  for (let row = 0; row < count; row += 1) entries[row] = (BigInt(keyOf(row)) << 32n) | BigInt(row)
  const order = Uint32Array.from(entries.toSorted(), (entry) => Number(entry & 0xffff_ffffn))
  const keyAt = (place: number) => keyOf(order[place] as number)
  for (let start = 0; start < count;) {
    let end = start + 1
    while (end < count && keyAt(end) === keyAt(start)) end += 1
    if (end - start > 1)
      order.subarray(start, end).sort((a, b) => Buffer.compare(nodeAt(leaves, a), nodeAt(leaves, b)))
    start = end
  }
  return order
}

/** A function that writes the parent of two nodes: the hash of both, the smaller first. */
export function createPairHasher(keccak: Keccak, nodes: Nodes) {
  const pair = new Uint8Array(2 * WORD_BYTES)
  return (left: number, right: number, parent: number) => {
    const a = nodeAt(nodes, left)
    const b = nodeAt(nodes, right)
    const isOrdered = Buffer.compare(a, b) <= 0
    pair.set(isOrdered ? a : b)
    pair.set(isOrdered ? b : a, WORD_BYTES)
    nodes.set(keccak(pair), parent * WORD_BYTES)
  }
}
