import {
  createPairHasher,
  hexAt,
  type Keccak,
  nodeAt,
  type Nodes,
  orderOfLeaves,
  WORD_BYTES,
} from './nodes.ts'

/** Writes the 32 bytes of a row's leaf. */
export type WriteLeaf = (row: number, into: Uint8Array, offset: number) => void
/** Called now and then with how many of the tree's nodes have been hashed. */
export type OnHashed = (done: number, total: number) => void

export type Tree = {
  nodes: Nodes
  /** The index of the node with each row's leaf. */
  leafAt: Uint32Array
}

const NODES_PER_REPORT = 16_384

/**
 * Builds the tree of OpenZeppelin's `standard-v1`: a complete binary tree of `2 × count − 1` nodes. The root
 * comes first, and the leaves last, in descending order.
 * @param count at least 1.
 */
export function buildStandardTree(
  keccak: Keccak,
  count: number,
  writeLeaf: WriteLeaf,
  onHashed?: OnHashed,
): Tree {
  const size = 2 * count - 1
  // One node more than the tree has, so that all unsorted leaves fit before the sorted ones.
  const buffer = Buffer.alloc(2 * count * WORD_BYTES)
  const report = (done: number) => {
    if (done % NODES_PER_REPORT === 0) onHashed?.(done, size)
  }
  for (let row = 0; row < count; row += 1) {
    writeLeaf(row, buffer, row * WORD_BYTES)
    report(row)
  }
  const nodes = buffer.subarray(WORD_BYTES)
  const leafAt = placeLeaves(buffer, nodes, count)
  const hashPair = createPairHasher(keccak, nodes)
  for (let parent = count - 2; parent >= 0; parent -= 1) {
    hashPair(2 * parent + 1, 2 * parent + 2, parent)
    report(size - parent)
  }
  onHashed?.(size, size)
  return { nodes, leafAt }
}

/** Copies the leaves to the second half of the buffer, sorted. @returns `leafAt` of the tree. */
function placeLeaves(leaves: Nodes, nodes: Nodes, count: number): Uint32Array {
  const leafAt = new Uint32Array(count)
  for (const [place, row] of orderOfLeaves(leaves, count).entries()) {
    const node = 2 * count - 2 - place
    leafAt[row] = node
    nodes.set(nodeAt(leaves, row), node * WORD_BYTES)
  }
  return leafAt
}

export const rootOf = ({ nodes }: Pick<Tree, 'nodes'>) => hexAt(nodes, 0)

/** The siblings of the nodes from a row's leaf to below the root, in hexadecimal. */
export function proofOf({ nodes, leafAt }: Tree, row: number): string[] {
  const proof: string[] = []
  for (let node = leafAt[row] as number; node > 0; node = Math.floor((node - 1) / 2))
    proof.push(hexAt(nodes, node % 2 === 0 ? node - 1 : node + 1))
  return proof
}
