import { keccak_256 } from '@noble/hashes/sha3.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Gives an address its EIP-55 checksum. @throws TypeError unless it is `0x` and 40 hexadecimal digits. */
export function toChecksum(address: string): string {
  if (!ADDRESS.test(address)) throw new TypeError('An address is 0x and 40 hexadecimal digits.')
  const digits = address.slice(2).toLowerCase()
  return `0x${withChecksum(digits, keccak_256(Buffer.from(digits, 'ascii')))}`
}

/** Whether the EIP-55 checksum is valid or absent (all one case); false for anything but an address. */
export function isChecksumRight(address: string): boolean {
  if (!ADDRESS.test(address)) return false
  const digits = address.slice(2)
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isOneCase || address === toChecksum(address)
}

/** EIP-55: a letter is upper-case where the hash of the lower-case digits has a digit of 8 or more. */
export function withChecksum(digits: string, hash: Uint8Array): string {
  let text = ''
  for (let place = 0; place < digits.length; place += 1) {
    const byte = hash[place >> 1] ?? 0
    const nibble = place % 2 === 0 ? byte >> 4 : byte & 15
    const digit = digits.charAt(place)
    text += nibble >= 8 ? digit.toUpperCase() : digit
  }
  return text
}
