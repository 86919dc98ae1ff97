import { useLayoutEffect, useState, type ReactNode } from 'react'
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'

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
export function BrowserRouter({ onNavigate, children }: BrowserRouterProps) {
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
