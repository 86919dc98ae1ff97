import { localizedPath } from '#contract/locales.ts'
import { LOCALE } from '#messages/locale.js'
import { type Route, ROUTES } from './routes.ts'

/**
 * The sections of the dashboard, in the order of its navigation. Apart from the other routes, which every visitor
 * loads: only the server and the dashboard need them. To add one, add its screen to `web/app/admin/desk.tsx` too.
 */
export const DASHBOARD_ROUTES = {
  claims: { ...ROUTES.dashboard, name: 'Claims' },
  people: { ...section('/dashboard/people', 'People', 'Search people.'), isParent: true },
  insights: section('/dashboard/insights', 'Insights', 'Figures of the campaign.'),
  campaign: section('/dashboard/campaign', 'Campaign', 'Pause, extend, close and archive the campaign.'),
  settings: section('/dashboard/settings', 'Settings', 'Change the campaign while it runs.'),
  look: section('/dashboard/look', 'Look', 'Colors, logo and mascot.'),
  mail: section('/dashboard/mail', 'Mail', 'See what happened to emails, and send announcements.'),
  webhooks: section('/dashboard/webhooks', 'Webhooks', 'Connect your own programs and other sites.'),
  payout: section('/dashboard/payout', 'Payout', 'Freeze the allocation.'),
  checks: section('/dashboard/checks', 'Checks', 'Check the deployment.'),
  security: section('/dashboard/security', 'Security', 'Protect your own account.'),
} as const satisfies Record<string, Route>

/** The sections below the dashboard's own path. */
export const DASHBOARD_SECTIONS: readonly Route[] = Object.values<Route>(DASHBOARD_ROUTES).filter(
  ({ path }) => path !== ROUTES.dashboard.path,
)

/** All pages and screens. */
export const SITE_MAP: readonly Route[] = [...Object.values(ROUTES), ...DASHBOARD_SECTIONS]

/** The section that a path belongs to: its own, or that of the longest path above it. */
export function sectionOf(path: string): Route {
  const above = Object.values(DASHBOARD_ROUTES).filter((route) => `${path}/`.startsWith(`${route.path}/`))
  return above.toSorted((one, other) => other.path.length - one.path.length)[0] ?? DASHBOARD_ROUTES.claims
}

function section(id: Route['id'], name: string, description: string): Route {
  return {
    id,
    path: localizedPath(LOCALE, id),
    name,
    title: name,
    description,
    kind: 'screen',
    layout: 'shared',
    indexed: false,
  }
}
