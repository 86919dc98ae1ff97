import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { SHARED_WORDS } from '#messages/shared.js'
import { useLocation } from '#web/features/navigation/location.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { preloadScreen, screenAt, sharedLayout } from './screens.ts'

/** Failures surface at once: no retries, and calls are not paused while the browser is offline. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <CurrentScreen />
      <Toaster label={SHARED_WORDS.notices} />
    </QueryClientProvider>
  )
}

/** The screen at the current path. Header and footer stay while one screen that shares them follows another. */
function CurrentScreen() {
  const { pathname } = useLocation()
  // Its layout and the screen itself are fetched at the same time.
  useLayoutEffect(() => preloadScreen(pathname), [pathname])
  const found = screenAt(pathname)
  if (!found) return null
  const { route, screen } = found
  const shown = <screen.Component key={route.path} />
  return route.layout === 'shared' ? <sharedLayout.Component>{shown}</sharedLayout.Component> : shown
}
