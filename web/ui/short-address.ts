/** A contract or wallet address with its middle left out: `0xaA2B…cFb9a`. Show the whole one in a title. */
export function shortAddress(address: string): string {
  return address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-5)}` : address
}
