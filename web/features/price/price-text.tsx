import { PRICE } from '#web/content/price.ts'
import { formatPrice } from './price.ts'
import { usePrice } from './use-price.ts'

/** The price as text: loading, in dollars, or unavailable (also without scripts). */
export function PriceText({ contract }: { contract: string }) {
  const price = usePrice(contract)
  return (
    <>
      <span className="needs-script">
        {price === 'loading' ? PRICE.loading : price === null ? PRICE.unknown : formatPrice(price)}
      </span>
      <noscript>{PRICE.unknown}</noscript>
    </>
  )
}
