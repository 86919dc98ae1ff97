import '../styles/site.css'

declare global {
  interface Window {
    /** What was clicked last, kept by static/head.js until the islands are alive. */
    earlyClick?: EventTarget | null
  }
}

/**
 * What a marketing page loads after its first paint. React and the islands follow at the first idle moment, or
 * as soon as somebody points at, touches or focuses one; a click that came too early is given again. A page
 * that the browser has opened ahead of its visitor does nothing until it is seen.
 */
const islands = [...document.querySelectorAll<HTMLElement>('[data-island]')]
const TOUCHES = ['pointerover', 'pointerdown', 'focusin'] as const

if (islands.some((island) => island.dataset['when'] === 'idle')) whenSeen(() => whenIdle(wake))

let waking: Promise<void> | undefined

for (const island of islands)
  for (const touch of TOUCHES) island.addEventListener(touch, wake, { once: true, passive: true })
if (window.earlyClick instanceof Element && window.earlyClick.closest('[data-island]')) wake()

function wake() {
  waking ??= import('./hydrate.ts').then(({ hydrate }) => hydrate(islands))
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
