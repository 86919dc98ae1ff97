import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** What a wallet allegedly gets, with its Merkle proof. */
export type Allotment = {
  wallet: string
  /** Base units of the token (`pf`) and of the coin (`pls`). */
  amounts: { pf: string; pls: string }
  /** Hashes of 32 bytes, from the leaf's sibling upward. */
  proof: readonly string[]
}

/** The leaf of a wallet and its amounts: `keccak256(keccak256(abi.encode(address, uint256, uint256)))`. */
export function leafOf({ wallet, amounts }: Omit<Allotment, 'proof'>): string {
  const encoded = [BigInt(wallet), BigInt(amounts.pf), BigInt(amounts.pls)]
    .map((word) => word.toString(16).padStart(64, '0'))
    .join('')
  return toHex(keccak_256(keccak_256(hexToBytes(encoded))))
}

/** The root that a proof leads to from a leaf. Each pair is hashed with the smaller hash first. */
function rootFrom(leaf: string, proof: readonly string[]): string {
  let node = leaf
  for (const sibling of proof.map((hash) => hash.toLowerCase())) {
    const [smaller, larger] = node < sibling ? [node, sibling] : [sibling, node]
    node = toHex(keccak_256(concatBytes(fromHex(smaller), fromHex(larger))))
  }
  return node
}

export function isAllotted(allotment: Allotment, root: string): boolean {
  try {
    return rootFrom(leafOf(allotment), allotment.proof) === root.toLowerCase()
  } catch {
    // A malformed hash or number proves nothing.
    return false
  }
}

type AddressFault = 'format' | 'checksum'

/**
 * Reads an address in any spelling. If it has letters of both cases, its checksum must be right.
 * @returns the address with its EIP-55 checksum, or its fault.
 */
export function readAddress(text: string): { wallet: string } | { fault: AddressFault } {
  const [, digits] = /^0x([0-9a-f]{40})$/i.exec(text.trim()) ?? []
  if (digits === undefined) return { fault: 'format' }
  const lower = digits.toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)))
  // EIP-55: a letter is upper-case if the hash's digit at its place is 8 or more.
  const checksummed = [...lower]
    .map((digit, place) => (hash.charAt(place) >= '8' ? digit.toUpperCase() : digit))
    .join('')
  const hasOneCase = digits === lower || digits === digits.toUpperCase()
  return hasOneCase || digits === checksummed ? { wallet: `0x${checksummed}` } : { fault: 'checksum' }
}

const toHex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`
const fromHex = (hex: string) => hexToBytes(hex.slice(2))

/** @param wallet with its checksum. @returns null if the allocation lacks it. @throws if the lookup fails. */
export type FindAllotment = (wallet: string) => Promise<Allotment | null>
