import { WORD_BYTES } from './encode-leaf.ts'
import type { Keccak } from './keccak.ts'

/** Nodes are consecutive words of 32 bytes: objects and hexadecimal text would cost ten times the memory. */
export type Nodes = Buffer

export const nodeAt = (nodes: Nodes, index: number): Buffer =>
  nodes.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES)

/** A node as `0x` and 64 digits. */
export const hexAt = (nodes: Nodes, index: number): string =>
  `0x${nodes.toString('hex', index * WORD_BYTES, (index + 1) * WORD_BYTES)}`

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
