import { useEffect, useState } from 'react'
import { PRICE } from '#messages/islands.js'
import { formatPrice, type Price, PRICE_REFRESH_MS, fetchPrice } from './price.ts'

/**
 * The text of the price card, kept current by polling. Unavailable without scripts. If the price is from a
 * pool, the card says so in its corner, where the words move nothing else.
 */
export function PriceText({ contract }: { contract: string }) {
  const price = usePrice(contract)
  return (
    <>
      <span className="needs-script">{textOf(price)}</span>
      {price !== 'loading' && price?.isFromPool && (
        <span
          title={PRICE.poolHint}
          className="absolute end-4 top-4 font-text text-xs leading-[1.4] font-normal tracking-normal text-ink-soft sm:end-5 sm:top-5"
        >
          {PRICE.fromPool}
        </span>
      )}
      <noscript>{PRICE.unknown}</noscript>
    </>
  )
}

/** `loading` until the first reply; null if the price is unknown, shown as N/A. */
type PriceState = Price | null | 'loading'

function textOf(price: PriceState): string {
  if (price === 'loading') return PRICE.loading
  return price === null ? PRICE.unknown : formatPrice(price)
}

/** Polled by a plain timer, because pages do without React Query. */
function usePrice(contract: string): PriceState {
  const [price, setPrice] = useState<PriceState>('loading')

  useEffect(() => {
    const refresh = () =>
      void fetchPrice(contract).then(setPrice, (error: unknown) => {
        console.error('Price fetch failed', error)
        setPrice(null)
      })
    refresh()
    const timer = setInterval(refresh, PRICE_REFRESH_MS)
    return () => clearInterval(timer)
  }, [contract])

  return price
}
