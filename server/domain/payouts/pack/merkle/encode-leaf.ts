import type { Keccak } from './keccak.ts'

/** The static types of which leaves are made. */
export type LeafType = 'address' | 'uint256'

/** The rows of a leaf's field: 20 bytes an address, 32 a number, big-endian; `index` numbers the rows from 0. */
export type Column = { type: LeafType; bytes: Uint8Array } | { type: LeafType; index: true }

/** Which contracts read the leaves. */
type LeafFormat =
  /** OpenZeppelin's StandardMerkleTree, Sablier, Hedgey: `keccak(keccak(abi.encode(…)))`. */
  | 'standard'
  /** Uniswap's MerkleDistributor: `keccak(abi.encodePacked(…))`. */
  | 'packed'

/** Bytes of a word and of an address. */
export const WORD = 32
export const ADDRESS = 20

/** A function that writes a row's leaf into 32 bytes. */
export function leafWriter(keccak: Keccak, format: LeafFormat, columns: readonly Column[]) {
  const isPacked = format === 'packed'
  const widths = columns.map(({ type }) => (isPacked ? widthOf(type) : WORD))
  const encoded = new Uint8Array(widths.reduce((sum, width) => sum + width, 0))
  const view = new DataView(encoded.buffer)
  const writers: ((row: number) => void)[] = []
  let at = 0
  for (const [column, width] of widths.entries()) {
    at += width
    writers.push(fieldWriter(columns[column] as Column, encoded, view, at))
  }
  return (row: number, into: Uint8Array, offset: number) => {
    for (const write of writers) write(row)
    const once = keccak(encoded)
    into.set(isPacked ? once : keccak(once), offset)
  }
}

const widthOf = (type: LeafType) => (type === 'address' ? ADDRESS : WORD)

/** Writes a field so that it ends at `end`; what stands before it in its word stays zero. */
function fieldWriter(column: Column, encoded: Uint8Array, view: DataView, end: number) {
  if ('index' in column) return (row: number) => view.setUint32(end - 4, row)
  const { type, bytes } = column
  const width = widthOf(type)
  return (row: number) => encoded.set(bytes.subarray(row * width, (row + 1) * width), end - width)
}
