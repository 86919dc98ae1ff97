import { keccak_256 } from '@noble/hashes/sha3.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Gives an address its EIP-55 checksum. @throws TypeError unless it is `0x` and 40 hexadecimal digits. */
export function toChecksum(address: string): string {
  if (!ADDRESS.test(address)) throw new TypeError('An address is 0x and 40 hexadecimal digits.')
  const digits = address.slice(2).toLowerCase()
  const hash = Buffer.from(keccak_256(Buffer.from(digits, 'ascii'))).toString('hex')
  return `0x${[...digits].map((digit, index) => (isUpper(hash, index) ? digit.toUpperCase() : digit)).join('')}`
}

const isUpper = (hash: string, index: number) => Number.parseInt(hash.charAt(index), 16) >= 8

/** Whether the EIP-55 checksum is valid or absent (all one case); false for what is not an address. */
export function isChecksumRight(address: string): boolean {
  if (!ADDRESS.test(address)) return false
  const digits = address.slice(2)
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isOneCase || address === toChecksum(address)
}
