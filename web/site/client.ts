import '../styles/main.css'
import { keepReferral } from '#web/features/referral/referral.ts'

/**
 * All that a marketing page loads at once. React and the islands follow at the first idle moment, or as soon
 * as somebody points at, touches or focuses one; a click that came too early is given again. A page that the
 * browser has opened ahead of its visitor does nothing until it is seen.
 */
const islands = [...document.querySelectorAll<HTMLElement>('[data-island]')]
const TOUCHES = ['pointerover', 'pointerdown', 'focusin'] as const

whenSeen(() => {
  keepReferral(location.search)
  if (islands.some((island) => island.dataset['when'] === 'idle')) whenIdle(wake)
})

let clicked: HTMLElement | undefined
let waking: Promise<void> | undefined

for (const island of islands) {
  for (const touch of TOUCHES) island.addEventListener(touch, wake, { once: true, passive: true })
  island.addEventListener('click', rememberClick)
}

function wake() {
  waking ??= import('./hydrate.ts').then(({ hydrate }) => {
    for (const island of islands) island.removeEventListener('click', rememberClick)
    hydrate(islands)
    if (clicked?.isConnected) clicked.click()
  })
}

function rememberClick({ target }: Event) {
  const control = target instanceof Element ? target.closest<HTMLElement>('button') : null
  if (control && !control.hasAttribute('command')) clicked = control
}

function whenSeen(callback: () => void) {
  if (isPrerendering()) document.addEventListener('prerenderingchange', callback, { once: true })
  else callback()
}

/** Not in TypeScript's types of the browser yet. */
function isPrerendering(): boolean {
  return 'prerendering' in document && document.prerendering === true
}

function whenIdle(callback: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(callback, { timeout: 2000 })
  else setTimeout(callback, 200)
}
