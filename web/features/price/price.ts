import { API_BASE } from '#contract/protocol/endpoint.ts'
import { INTL_TAG } from '#messages/locale.js'

export const PRICE_REFRESH_MS = 120_000

export function pricePath(contract: string): string {
  return `${API_BASE}/latest/dex/tokens/${contract}`
}

/** In US dollars, from the price service (a price feed such as DexScreener) or from the token's pools. */
export type Price = { usd: number; isFromPool: boolean }

/** The price of the token's first pair; null if there is none. @throws if the call fails. */
export async function fetchPrice(contract: string): Promise<Price | null> {
  const response = await fetch(pricePath(contract))
  if (!response.ok) throw new Error(`The price endpoint responded with ${response.status}`)
  return firstPrice(await response.json())
}

const DECIMAL = /^\d+(\.\d+)?(e[+-]?\d+)?$/i

export function firstPrice(reply: unknown): Price | null {
  const { pairs } = Object(reply) as { pairs?: unknown }
  const { priceUsd, source } = Object(Array.isArray(pairs) ? pairs[0] : null) as Record<string, unknown>
  const usd = typeof priceUsd === 'string' && DECIMAL.test(priceUsd) ? Number(priceUsd) : NaN
  return Number.isFinite(usd) ? { usd, isFromPool: source === 'pool' } : null
}

/**
 * `$` and six decimals, like `toFixed(6)` but with the language's decimal separator.
 * @param tag the language for `Intl`; by default the build's.
 */
export function formatPrice({ usd }: Price, tag: string = INTL_TAG): string {
  const digits = { minimumFractionDigits: 6, maximumFractionDigits: 6, useGrouping: false }
  return `$${new Intl.NumberFormat(tag, digits).format(usd)}`
}
