import { useLocation } from 'react-router'
import { ROUTES } from '#web/routes.ts'
import { lazyScreen } from '../lazy-screen.tsx'
import Dashboard from './dashboard.tsx'

const payout = lazyScreen(() => import('./payout/payout.tsx'))

/** The screens of administrators. One entry in the list of screens, which visitors load too. */
export default function Desk() {
  const { pathname } = useLocation()
  return pathname === ROUTES.payout.path ? <payout.Component /> : <Dashboard />
}
