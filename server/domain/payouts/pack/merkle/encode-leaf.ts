import type { Keccak } from './keccak.ts'

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

export const WORD_BYTES = 32
export const ADDRESS_BYTES = 20

/** A function that writes a row's leaf into 32 bytes. */
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

/** A function that writes a field so that it ends at `end`; the bytes before it in its word stay zero. */
function createFieldWriter(column: Column, encoded: Uint8Array, view: DataView, end: number) {
  if ('index' in column) return (row: number) => view.setUint32(end - 4, row)
  const { type, bytes } = column
  const width = widthOf(type)
  return (row: number) => encoded.set(bytes.subarray(row * width, (row + 1) * width), end - width)
}
