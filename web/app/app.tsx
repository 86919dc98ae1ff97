import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useLayoutEffect, useState, type ReactNode } from 'react'
import { Route, Routes, Router, UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'
import { SHARED_WORDS } from '#messages/shared.js'
import { Toaster } from '#web/ui/toaster.tsx'
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
  return SCREENS.filter(({ route }) => route.layout === layout).map(({ route, screen, isParent }) => (
    <Route key={route.path} path={isParent ? `${route.path}/*` : route.path} element={<screen.Component />} />
  ))
}

const history = createBrowserHistory({ v5Compat: true })

type BrowserRouterProps = {
  /** Called when a navigation starts. */
  onNavigate: (path: string) => void
  children: ReactNode
}

/**
 * React Router's `BrowserRouter` with `useTransitions={false}`: navigation renders synchronously. Importing
 * the original adds 5 kB of links, forms and data loading that cannot be tree-shaken.
 */
function BrowserRouter({ onNavigate, children }: BrowserRouterProps) {
  const [state, setState] = useState({ action: history.action, location: history.location })
  useLayoutEffect(() => {
    return history.listen((next) => {
      onNavigate(next.location.pathname)
      setState(next)
    })
  }, [onNavigate])
  return (
    <Router location={state.location} navigationType={state.action} navigator={history}>
      {children}
    </Router>
  )
}
