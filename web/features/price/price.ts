import { API_BASE } from '#contract/protocol/endpoint.ts'

export const PRICE_REFRESH_MS = 120_000

/** Path of this site's price endpoint for a token. */
export function pricePath(contract: string): string {
  return `${API_BASE}/latest/dex/tokens/${contract}`
}

/** Price of the first pair in US dollars; null without a pair. Throws if the call fails. */
export async function fetchPrice(contract: string): Promise<number | null> {
  const response = await fetch(pricePath(contract))
  if (!response.ok) throw new Error(`The price service responded with ${response.status}`)
  return firstPrice(await response.json())
}

const DECIMAL = /^\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Reads `pairs[0].priceUsd` of a reply; null if it is not a number. */
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
