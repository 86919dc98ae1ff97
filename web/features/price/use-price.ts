import { useEffect, useState } from 'react'
import { PRICE_REFRESH_MS, fetchPrice } from './price.ts'

/** The token's price, refetched periodically; `loading` until the first reply, null if unknown. */
export function usePrice(contract: string): number | null | 'loading' {
  const [price, setPrice] = useState<number | null | 'loading'>('loading')

  useEffect(() => {
    let isCanceled = false
    const refresh = async () => {
      const latest = await priceOrNull(contract)
      if (!isCanceled) setPrice(latest)
    }
    void refresh()
    const timer = setInterval(() => void refresh(), PRICE_REFRESH_MS)
    return () => {
      isCanceled = true
      clearInterval(timer)
    }
  }, [contract])

  return price
}

/** Failures are only logged: the visitor can do nothing about them. */
async function priceOrNull(contract: string): Promise<number | null> {
  try {
    return await fetchPrice(contract)
  } catch (error) {
    console.error('Price fetch failed', error)
    return null
  }
}
