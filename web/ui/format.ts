const GROUPED = new Intl.NumberFormat('en')

/** A whole number with grouped thousands, like 20,000. */
export function formatInteger(count: number): string {
  return GROUPED.format(count)
}

/** Shortens a contract or wallet address: `0xaA2B…cFb9a`. Put the whole one into a title. */
export function shortAddress(address: string): string {
  return address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-5)}` : address
}
