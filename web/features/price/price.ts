import { API_BASE } from '#contract/endpoint.ts'

/** How often the price is asked for again, in milliseconds. */
export const PRICE_REFRESH_MS = 120_000

/** Where this site answers with the market pairs of a token. */
export function pricePath(contract: string): string {
  return `${API_BASE}/latest/dex/tokens/${contract}`
}

/** The price of the first pair in US dollars; null when there is no pair. Throws when the call fails. */
export async function fetchPrice(contract: string): Promise<number | null> {
  const response = await fetch(pricePath(contract))
  if (!response.ok) throw new Error(`The price service answered ${response.status}`)
  return firstPrice(await response.json())
}

const DECIMAL = /^\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Reads `pairs[0].priceUsd` of a reply; null for anything that holds no such number. */
export function firstPrice(reply: unknown): number | null {
  const { pairs } = Object(reply) as { pairs?: unknown }
  const { priceUsd } = Object(Array.isArray(pairs) ? pairs[0] : null) as { priceUsd?: unknown }
  const price = typeof priceUsd === 'string' && DECIMAL.test(priceUsd) ? Number(priceUsd) : NaN
  return Number.isFinite(price) ? price : null
}

/** `$` and six decimals. */
export function formatPrice(price: number): string {
  return `$${price.toFixed(6)}`
}
