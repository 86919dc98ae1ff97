import { WORD_BYTES } from './encode-leaf.ts'
import { nodeAt, type Nodes } from './nodes.ts'

/**
 * The order of leaves by their bytes, as row numbers; equal leaves stay in the order of their rows. Hashes
 * are evenly distributed, so that a radix sort by their first four bytes leaves next to nothing to compare.
 */
export function orderOfLeaves(leaves: Nodes, count: number): Uint32Array {
  const view = new DataView(leaves.buffer, leaves.byteOffset, count * WORD_BYTES)
  const keyOf = (row: number) => view.getUint32(row * WORD_BYTES)
  let order = Uint32Array.from({ length: count }, (_, row) => row)
  let spare = new Uint32Array(count)
  for (const shift of [0, 16]) {
    distribute(order, spare, (row) => (keyOf(row) >>> shift) & 0xffff)
    ;[order, spare] = [spare, order]
  }
  breakTies(order, leaves, keyOf)
  return order
}

/** A stable counting sort by a key of 16 bits. */
function distribute(from: Uint32Array, into: Uint32Array, key: (row: number) => number) {
  const starts = new Uint32Array(0x10001)
  const add = (value: number, amount: number) => {
    starts[value] = numberAt(starts, value) + amount
  }
  for (const row of from) add(key(row) + 1, 1)
  for (let value = 0; value < 0x10000; value += 1) add(value + 1, numberAt(starts, value))
  for (const row of from) {
    into[numberAt(starts, key(row))] = row
    add(key(row), 1)
  }
}

/** Orders leaves with equal keys by all of their bytes. */
function breakTies(order: Uint32Array, leaves: Nodes, keyOf: (row: number) => number) {
  let start = 0
  for (let end = 1; end <= order.length; end += 1) {
    if (end < order.length && keyOf(numberAt(order, end)) === keyOf(numberAt(order, start))) continue
    if (end - start > 1) {
      const run = [...order.subarray(start, end)].toSorted((a, b) => compareLeaves(leaves, a, b))
      order.set(run, start)
    }
    start = end
  }
}

const numberAt = (numbers: Uint32Array, index: number) => numbers[index] as number

const compareLeaves = (leaves: Nodes, a: number, b: number) =>
  Buffer.compare(nodeAt(leaves, a), nodeAt(leaves, b))
