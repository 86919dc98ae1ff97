import type { ComponentType } from 'react'
import { useLocation } from '#web/features/navigation/location.ts'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { sessionUser, useIsLoggedIn } from '#web/features/session/session.ts'
import { DASHBOARD_ROUTES, sectionOf } from '#web/dashboard-routes.ts'
import { ROUTES } from '#web/routes.ts'
import { lazyScreen } from '../lazy-screen.tsx'
import ReviewScreen from './claims/review-screen.tsx'

const SCREENS: Readonly<Record<string, ComponentType>> = {
  [DASHBOARD_ROUTES.claims.path]: ReviewScreen,
  [DASHBOARD_ROUTES.campaign.path]: lazyScreen(() => import('./campaign/campaign.tsx')).Component,
  [DASHBOARD_ROUTES.people.path]: lazyScreen(() => import('./people/people.tsx')).Component,
  [DASHBOARD_ROUTES.insights.path]: lazyScreen(() => import('./insights/insights.tsx')).Component,
  [DASHBOARD_ROUTES.payout.path]: lazyScreen(() => import('./payout/payout.tsx')).Component,
  [DASHBOARD_ROUTES.mail.path]: lazyScreen(() => import('./mail/mail-screen.tsx')).Component,
  [DASHBOARD_ROUTES.settings.path]: lazyScreen(() => import('./settings/settings.tsx')).Component,
  [DASHBOARD_ROUTES.webhooks.path]: lazyScreen(() => import('./webhooks/webhooks.tsx')).Component,
  [DASHBOARD_ROUTES.security.path]: lazyScreen(() => import('./security/security.tsx')).Component,
  [DASHBOARD_ROUTES.look.path]: lazyScreen(() => import('./look/look.tsx')).Component,
  [DASHBOARD_ROUTES.checks.path]: lazyScreen(() => import('./checks/checks.tsx')).Component,
}

/**
 * The dashboard screen at the current path. Redirecting everyone but administrators only saves calls: the
 * server authorizes each call. In `../screens.ts`, which every visitor loads, all of these are one screen.
 */
export default function DashboardSections() {
  const { path } = sectionOf(useLocation().pathname)
  const Screen = SCREENS[path] ?? ReviewScreen
  if (!useIsLoggedIn()) return <RedirectTo to={ROUTES.login.path} />
  if (sessionUser()?.role === 'user') return <RedirectTo to={ROUTES.profile.path} />
  return <Screen key={path} />
}
