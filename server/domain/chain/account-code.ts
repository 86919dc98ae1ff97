/**
 * Whether an address with this code is a plain account rather than a contract. One that delegates to contract code
 * (EIP-7702) still is.
 * @param code the answer of `eth_getCode`.
 */
export const isPlainAccount = (code: string): boolean => code === '0x' || /^0xef0100[0-9a-f]{40}$/i.test(code)
