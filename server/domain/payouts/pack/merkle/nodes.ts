import { createKeccak } from 'hash-wasm'

export const WORD_BYTES = 32
export const ADDRESS_BYTES = 20

/** Keccak-256. Returns 32 bytes, which later calls do not overwrite. */
export type Keccak = (data: Uint8Array) => Uint8Array

/** WebAssembly: seven times as fast as the fastest implementation in JavaScript. */
export async function loadKeccak(): Promise<Keccak> {
  const hasher = await createKeccak(256)
  return (data) => hasher.init().update(data).digest('binary')
}

/** The ABI types of a leaf's fields; both are static. */
export type LeafType = 'address' | 'uint256'

/** One field of all leaves: 20 bytes per address, 32 per number, big-endian; or the row's index, from 0. */
export type Column = { type: LeafType; bytes: Uint8Array } | { type: LeafType; index: true }

/** How contracts hash a leaf. */
type LeafFormat =
  /** OpenZeppelin's StandardMerkleTree, Sablier, Hedgey: `keccak(keccak(abi.encode(…)))`. */
  | 'standard'
  /** Uniswap's MerkleDistributor: `keccak(abi.encodePacked(…))`. */
  | 'packed'

/** Creates a function that writes a row's leaf into 32 bytes. */
export function createLeafWriter(keccak: Keccak, format: LeafFormat, columns: readonly Column[]) {
  const isPacked = format === 'packed'
  const widths = columns.map(({ type }) => (isPacked ? widthOf(type) : WORD_BYTES))
  const encoded = new Uint8Array(widths.reduce((sum, width) => sum + width, 0))
  const view = new DataView(encoded.buffer)
  const writers: ((row: number) => void)[] = []
  let end = 0
  for (const [index, width] of widths.entries()) {
    end += width
    writers.push(createFieldWriter(columns[index] as Column, encoded, view, end))
  }
  return (row: number, into: Uint8Array, offset: number) => {
    for (const write of writers) write(row)
    const hash = keccak(encoded)
    into.set(isPacked ? hash : keccak(hash), offset)
  }
}

const widthOf = (type: LeafType) => (type === 'address' ? ADDRESS_BYTES : WORD_BYTES)

/** Creates a function that writes a field so that it ends at `end`. The word's bytes before it stay 0. */
function createFieldWriter(column: Column, encoded: Uint8Array, view: DataView, end: number) {
  if ('index' in column) return (row: number) => view.setUint32(end - 4, row)
  const { type, bytes } = column
  const width = widthOf(type)
  return (row: number) => encoded.set(bytes.subarray(row * width, (row + 1) * width), end - width)
}

/** Nodes are consecutive words of 32 bytes: objects and hexadecimal text would cost ten times the memory. */
export type Nodes = Buffer

export const nodeAt = (nodes: Nodes, index: number): Buffer =>
  nodes.subarray(index * WORD_BYTES, (index + 1) * WORD_BYTES)

/** A node as `0x` and 64 digits. */
export const hexAt = (nodes: Nodes, index: number): string =>
  `0x${nodes.toString('hex', index * WORD_BYTES, (index + 1) * WORD_BYTES)}`

/**
 * Row numbers in the order of their leaves' bytes; equal leaves stay in the order of their rows. Leaves are
 * hashes, so a sort by their first four bytes leaves next to nothing to compare.
 */
export function orderOfLeaves(leaves: Nodes, count: number): Uint32Array {
  const keyOf = (row: number) => leaves.readUInt32BE(row * WORD_BYTES)
  // The key in the upper 32 bits, the row in the lower: numbers are sorted without a comparison function.
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

/** Creates a function that writes the parent of two nodes: the hash of both, the smaller first. */
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
