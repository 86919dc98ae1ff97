/** Milliseconds that one beat takes. */
const BEAT = 700
const REST = { transform: 'scaleY(1)' }
const PEAK = { transform: 'scaleY(1.5)', offset: 0.3 }

/** Lets every pulse of the page beat once, unless motion is unwelcome. */
export function beatOnce(): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  for (const line of document.querySelectorAll('.pulse path')) {
    line.animate([REST, PEAK, REST], { duration: BEAT, easing: 'ease-out' })
  }
}

/** Lays every pulse flat while the chain is silent. */
export function layFlat(flat: boolean): void {
  document.documentElement.toggleAttribute('data-chain-silent', flat)
}
