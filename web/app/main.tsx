import { createRoot } from 'react-dom/client'
import { bringPipToLife } from '#web/features/pip/pip-alive.ts'
import '#web/styles/main.css'
import { keepReferral } from '#web/features/referral/referral.ts'
import { App } from './app.tsx'
import { fetchScreen, prepareScreen } from './screens.ts'

keepReferral(location.search)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root for the application.')

// What the server drew stays until the first screen can be drawn over it in one go.
// (No `await` at the top: the screens import what is bundled with this module, and would wait for it.)
void fetchScreen(location.pathname).then(() => createRoot(root).render(<App />))

bringPipToLife()

// Whoever points at a link, or reaches it with the keyboard, is likely to follow it.
for (const touch of ['pointerover', 'focusin'])
  document.addEventListener(touch, ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link?.origin === location.origin) prepareScreen(link.pathname)
  })
