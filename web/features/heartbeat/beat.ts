/** Duration of one beat in milliseconds. */
const BEAT_MS = 700
const REST = { transform: 'scaleY(1)' }
const PEAK = { transform: 'scaleY(1.5)', offset: 0.3 }

/** Animates every pulse on the page once, unless reduced motion is preferred. */
export function beatOnce(): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const line of document.querySelectorAll('.pulse path')) {
    line.animate([REST, PEAK, REST], { duration: BEAT_MS, easing: 'ease-out' })
  }
}

/** Flattens every pulse while the chain is silent. */
export function setPulseFlat(flat: boolean): void {
  document.documentElement.toggleAttribute('data-chain-silent', flat)
}
