import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Route, Routes } from 'react-router'
import { SHARED_WORDS } from '#web/content/shared.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { BrowserRouter } from './browser-router.tsx'
import { preloadScreen, SCREENS, sharedLayout } from './screens.ts'

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
      <BrowserRouter onNavigate={preloadScreen}>
        <Routes>
          <Route element={<sharedLayout.Component />}>{routesOf('shared')}</Route>
          {routesOf('standalone')}
        </Routes>
      </BrowserRouter>
      <Toaster label={SHARED_WORDS.notices} />
    </QueryClientProvider>
  )
}

function routesOf(layout: 'shared' | 'standalone') {
  return SCREENS.filter(({ route }) => route.layout === layout).map(({ route, screen }) => (
    <Route key={route.path} path={route.path} element={<screen.Component />} />
  ))
}
