import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { SHARED_WORDS } from '#messages/shared.js'
import { SIDE_MENU_ID } from '#web/features/layout/layout.ts'
import { useLocation } from '#web/features/navigation/location.ts'
import { storeReferral } from '#web/features/referral/referral.ts'
import { followOtherTabs, hasOtherAccount } from '#web/features/session/session.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { loadScreen, preloadScreen, screenAt, sharedLayout } from './screens.ts'
import '#web/styles/app.css'

storeReferral(location.search)

// The server-rendered frame stays until the first screen can replace it in one step or has failed to load. No
// top-level `await`: screens import modules that are bundled with this one, and would wait for it. A hidden
// document is about to be replaced by one in the visitor's language (web/site/static/head.js).
if (!document.documentElement.hidden) loadScreen(location.pathname).then(renderAfterPress, renderAfterPress)

followOtherTabs(() => {
  if (hasOtherAccount()) location.reload()
})

// A link that is hovered or focused is likely to be followed.
for (const type of ['pointerover', 'focusin'])
  document.addEventListener(type, ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link?.origin === location.origin) preloadScreen(link.pathname)
  })

/** Waits for the end of a press. Replacing the DOM between mousedown and mouseup would lose the click. */
async function renderAfterPress() {
  const deadline = performance.now() + 5_000
  while (document.querySelector(':is(a, button):active') && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50))
  render()
}

/** Replaces the server-rendered frame. An open menu stays open, and a focused control keeps the focus. */
function render() {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root.')
  const isMenuOpen = sideMenu()?.open
  const focusedIndex = frameControls(root).findIndex((control) => control === document.activeElement)
  flushSync(() => createRoot(root).render(<App />))
  if (isMenuOpen) openMenu()
  frameControls(root)[focusedIndex]?.focus()
}

function openMenu() {
  const menu = sideMenu()
  if (!menu) return
  // The dialog returns the focus to the button when it closes, so the button must have it first.
  document.querySelector<HTMLElement>(`[commandfor="${SIDE_MENU_ID}"]`)?.focus({ preventScroll: true })
  menu.showModal()
  // Skips the opening animation, which the server-rendered menu has played.
  for (const animation of menu.getAnimations({ subtree: true })) animation.finish()
}

function sideMenu() {
  return document.querySelector<HTMLDialogElement>(`dialog#${SIDE_MENU_ID}`)
}

function frameControls(root: HTMLElement) {
  return [...root.querySelectorAll<HTMLElement>(':is(header, footer) :is(a, button)')]
}

/** Errors are shown at once: no retries, and calls do not wait until the browser is online. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

// A call must be pending, and its button disabled, before the next event. The default scheduler is a timeout,
// which would let a double click through.
notifyManager.setScheduler(queueMicrotask)

function App() {
  return (
    <QueryClientProvider client={queries}>
      <CurrentScreen />
      <Toaster label={SHARED_WORDS.notices} />
    </QueryClientProvider>
  )
}

/** The screen at the current path. Header and footer stay mounted between screens that have them. */
function CurrentScreen() {
  const { pathname } = useLocation()
  // Fetches the screen and its layout in parallel.
  useLayoutEffect(() => preloadScreen(pathname), [pathname])
  const current = screenAt(pathname)
  if (!current) return null
  const { route, screen } = current
  const content = <screen.Component key={route.path} />
  return route.layout === 'shared' ? <sharedLayout.Component>{content}</sharedLayout.Component> : content
}
