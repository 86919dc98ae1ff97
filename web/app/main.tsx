import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { SIDE_MENU_ID } from '#web/features/layout/chrome.ts'
import '#web/styles/app.css'
import { keepReferral } from '#web/features/referral/referral.ts'
import { App } from './app.tsx'
import { fetchScreen, prepareScreen } from './screens.ts'

keepReferral(location.search)

// What the server drew stays until the first screen can be drawn over it in one go, or says that it cannot.
// (No `await` at the top: the screens import what is bundled with this module, and would wait for it.)
fetchScreen(location.pathname).then(drawOnceLetGo, drawOnceLetGo)

// Whoever points at a link, or reaches it with the keyboard, is likely to follow it.
for (const touch of ['pointerover', 'focusin'])
  document.addEventListener(touch, ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link?.origin === location.origin) prepareScreen(link.pathname)
  })

/** A press that begins on what the server drew and ends on what has come in its place would press nothing. */
async function drawOnceLetGo() {
  const patience = performance.now() + 5_000
  while (document.querySelector(':is(a, button):active') && performance.now() < patience)
    await new Promise((resolve) => setTimeout(resolve, 50))
  draw()
}

/**
 * Puts the application in the place of what the server drew, which has the same frame: a menu that somebody has
 * opened there stays open, and the focus on the control where it is.
 */
function draw() {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root for the application.')
  const menuIsOpen = sideMenu()?.open
  const focused = frameControls(root).findIndex((control) => control === document.activeElement)
  flushSync(() => createRoot(root).render(<App />))
  if (menuIsOpen) openMenu()
  frameControls(root)[focused]?.focus()
}

function openMenu() {
  const menu = sideMenu()
  if (!menu) return
  // The dialog gives the focus back to what had it when it was opened.
  document.querySelector<HTMLElement>(`[commandfor="${SIDE_MENU_ID}"]`)?.focus({ preventScroll: true })
  menu.showModal()
  // It has slid in before.
  for (const move of menu.getAnimations({ subtree: true })) move.finish()
}

function sideMenu() {
  return document.querySelector<HTMLDialogElement>(`dialog#${SIDE_MENU_ID}`)
}

function frameControls(root: HTMLElement) {
  return [...root.querySelectorAll<HTMLElement>(':is(header, footer) :is(a, button)')]
}
