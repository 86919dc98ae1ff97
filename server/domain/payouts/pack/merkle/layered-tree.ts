import {
  createPairHasher,
  hexAt,
  type Keccak,
  nodeAt,
  type Nodes,
  orderOfLeaves,
  WORD_BYTES,
} from './nodes.ts'
import type { OnHashed, WriteLeaf } from './standard-tree.ts'

/** A tree in layers, the leaves first and the root last. */
export type LayeredTree = {
  nodes: Nodes
  /** Index of each layer's first node. */
  starts: readonly number[]
  /** The node of each row's leaf. */
  leafAt: Uint32Array
}

/**
 * Builds the tree of Uniswap's scripts: sorted leaves are paired layer by layer, and a node left without a
 * sibling moves up as it is. Uniswap's contract also accepts proofs from a complete tree, but the scripts
 * that recompute the root do not.
 * @param count at least 1.
 */
export function buildLayeredTree(
  keccak: Keccak,
  count: number,
  writeLeaf: WriteLeaf,
  onHashed?: OnHashed,
): LayeredTree {
  const { starts, size } = layersOf(count)
  const leaves = Buffer.alloc(count * WORD_BYTES)
  for (let row = 0; row < count; row += 1) writeLeaf(row, leaves, row * WORD_BYTES)
  const nodes = Buffer.alloc(size * WORD_BYTES)
  const leafAt = new Uint32Array(count)
  for (const [place, row] of orderOfLeaves(leaves, count).entries()) {
    leafAt[row] = place
    nodes.set(nodeAt(leaves, row), place * WORD_BYTES)
  }
  const hashPair = createPairHasher(keccak, nodes)
  for (const [layerBelow, start] of starts.slice(1).entries()) {
    onHashed?.(start, size)
    const startBelow = starts[layerBelow] as number
    for (let node = startBelow; node < start; node += 2) {
      const parent = start + (node - startBelow) / 2
      if (node + 1 < start) hashPair(node, node + 1, parent)
      else nodes.copyWithin(parent * WORD_BYTES, node * WORD_BYTES, (node + 1) * WORD_BYTES)
    }
  }
  onHashed?.(size, size)
  return { nodes, starts, leafAt }
}

function layersOf(count: number): { starts: number[]; size: number } {
  const starts = [0]
  let size = count
  for (let width = count; width > 1;) {
    starts.push(size)
    width = Math.ceil(width / 2)
    size += width
  }
  return { starts, size }
}

export const layeredRootOf = ({ nodes }: LayeredTree) => hexAt(nodes, nodes.length / WORD_BYTES - 1)

/** The siblings from a row's leaf to the root, in hexadecimal; none for a node that moved up alone. */
export function layeredProofOf({ nodes, starts, leafAt }: LayeredTree, row: number): string[] {
  const proof: string[] = []
  let place = leafAt[row] as number
  for (const [layer, start] of starts.slice(0, -1).entries()) {
    const sibling = start + (place % 2 === 0 ? place + 1 : place - 1)
    if (sibling < (starts[layer + 1] as number)) proof.push(hexAt(nodes, sibling))
    place = Math.floor(place / 2)
  }
  return proof
}
