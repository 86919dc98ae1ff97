/** The part of Solidity's ABI that token checks need; a library would outweigh the page that runs them. */

/** The first four bytes of a function's hash; a test computes them from the signatures. */
export const SELECTORS = {
  'owner()': '8da5cb5b',
  'getOwner()': '893d20e8',
  'totalSupply()': '18160ddd',
  'decimals()': '313ce567',
  'balanceOf(address)': '70a08231',
  'transfer(address,uint256)': 'a9059cbb',
  'approve(address,uint256)': '095ea7b3',
  'hasRole(bytes32,address)': '91d14854',
  'grantRole(bytes32,address)': '2f2ff15d',
  'getPair(address,address)': 'e6a43905',
  'feeTo()': '017e7e58',
  'factory()': 'c45a0155',
  'getReserves()': '0902f1ac',
  'token0()': '0dfe1681',
  'getAmountsOut(uint256,address[])': 'd06ca61f',
  'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)': 'b6f9de95',
  'swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)':
    '5c11d795',
  'aggregate3Value((address,bool,uint256,bytes)[])': '174dea71',
} as const

export type Signature = keyof typeof SELECTORS

/** `0x` and an even number of lower-case hexadecimal digits. */
export type Hex = string

/** A number; an address or 32 bytes in hexadecimal, in either case; a list of addresses; or bytes. */
export type Argument = bigint | Hex | readonly Hex[] | { bytes: Hex }

export function encodeCall(signature: Signature, ...values: readonly Argument[]): Hex {
  return `0x${SELECTORS[signature]}${encode(values)}`
}

/** Encodes arguments, without `0x`: a word for each, then the lists and bytes, to which the words point. */
export function encode(values: readonly Argument[]): string {
  let head = ''
  let tail = ''
  for (const value of values) {
    if (typeof value !== 'object') head += encodeWord(value)
    else {
      head += encodeWord(BigInt(32 * values.length + tail.length / 2))
      tail += 'bytes' in value ? encodeBytes(value.bytes) : encodeList(value)
    }
  }
  return head + tail
}

/** A number below 2^256, or at most 32 bytes in hexadecimal. */
function encodeWord(value: bigint | Hex): string {
  return (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')
}

const encodeList = (list: readonly Hex[]) =>
  encodeWord(BigInt(list.length)) + list.map((entry) => encodeWord(entry)).join('')

function encodeBytes(bytes: Hex): string {
  const digits = bytes.slice(2)
  return encodeWord(BigInt(digits.length / 2)) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
}

/** The data of a Multicall3 call that makes all `calls`, even if one fails. `value`: in smallest units. */
export function encodeAggregate(calls: readonly { to: Hex; value?: bigint; data: Hex }[]): Hex {
  const entries = calls.map(({ to, value = 0n, data }) => encode([to, ALLOW_FAILURE, value, { bytes: data }]))
  let offset = 32 * entries.length
  const offsets = entries.map((entry) => {
    const word = encodeWord(BigInt(offset))
    offset += entry.length / 2
    return word
  })
  const list = [encodeWord(BigInt(entries.length)), ...offsets, ...entries].join('')
  return `0x${SELECTORS['aggregate3Value((address,bool,uint256,bytes)[])']}${encodeWord(32n)}${list}`
}

/** `true` in the ABI: the other calls go on if this one fails. */
const ALLOW_FAILURE = 1n

/** Splits data into words of 32 bytes; undefined for anything else. */
export function decodeWords(data: unknown): bigint[] | undefined {
  if (typeof data !== 'string' || !/^0x([0-9a-f]{64})+$/i.test(data)) return undefined
  return Array.from(data.slice(2).matchAll(/.{64}/g), ([word]) => BigInt(`0x${word}`))
}

/** What each of `count` calls returned; undefined if malformed, or if a result has more than a kilobyte. */
export function decodeAggregate(data: unknown, count: number): Outcome[] | undefined {
  const [listOffset, listLength, ...list] = decodeWords(data) ?? []
  if (listOffset !== 32n || listLength !== BigInt(count)) return undefined
  const outcomes = Array.from({ length: count }, (_, index) => {
    // The offset of an outcome in bytes. If it is missing, `start` is NaN, which selects nothing.
    const start = Number(list[index]) / 32
    const [succeeded, offset, length = 0n] = list.slice(start, start + 3)
    if (succeeded === undefined || succeeded > 1n || offset !== 64n || length > MAX_RESULT_BYTES)
      return undefined
    return { succeeded: succeeded === 1n, words: list.slice(start + 3, start + 3 + Number(length) / 32) }
  })
  return outcomes.includes(undefined) ? undefined : (outcomes as Outcome[])
}

/** `words`: the result in words of 32 bytes; an incomplete one at its end is left out. */
export type Outcome = { succeeded: boolean; words: readonly bigint[] }

const MAX_RESULT_BYTES = 1_024n

/** A word as an address in lower case; undefined for one of more than 160 bits. */
export function toAddress(word: bigint): Hex | undefined {
  return word >> 160n === 0n ? `0x${word.toString(16).padStart(40, '0')}` : undefined
}
