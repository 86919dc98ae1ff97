import { useLayoutEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'

const history = createBrowserHistory({ v5Compat: true })

type BrowserRouterProps = {
  /** Told of every move as it begins. */ onMove: (path: string) => void
  children: ReactNode
}

/**
 * The library's `BrowserRouter` with `useTransitions={false}`: a move is drawn in the same moment. Importing
 * the library's own brings 5 kB of links, forms and data loading along that no bundler can drop.
 */
export function BrowserRouter({ onMove, children }: BrowserRouterProps) {
  const [state, setState] = useState({ action: history.action, location: history.location })
  useLayoutEffect(() => {
    return history.listen((next) => {
      onMove(next.location.pathname)
      setState(next)
    })
  }, [onMove])
  return (
    <Router location={state.location} navigationType={state.action} navigator={history}>
      {children}
    </Router>
  )
}
