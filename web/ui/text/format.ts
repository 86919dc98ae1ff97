import { INTL_TAG } from '#messages/locale.js'

const GROUPED = new Intl.NumberFormat(INTL_TAG)

/** With grouped thousands, as in 20,000. */
export function formatInteger(count: number): string {
  return GROUPED.format(count)
}

const PERCENT = new Intl.NumberFormat(INTL_TAG, { style: 'percent', roundingMode: 'floor' })

/** In whole percent, rounded down. @param share from 0 to 1. */
export function formatPercent(share: number): string {
  return PERCENT.format(share)
}

/** Shortens a contract or wallet address: `0xaA2B…cFb9a`. The element's `title` should have all of it. */
export function shortenAddress(address: string): string {
  return address.length > 14 ? `${address.slice(0, 6)}…${address.slice(-5)}` : address
}
