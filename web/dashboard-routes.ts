import { localizedPath } from '#contract/locales.ts'
import { SECTIONS } from '#messages/dashboard-routes.js'
import { LOCALE } from '#messages/locale.js'
import { type Route, ROUTES } from './routes.ts'

/**
 * The sections of the dashboard, in the order of its navigation; web/app/dashboard/sections.tsx has their
 * screens. Not in routes.ts, which every visitor loads.
 */
export const DASHBOARD_ROUTES = {
  claims: { ...ROUTES.dashboard, name: SECTIONS.claims.name },
  people: { ...section('/dashboard/people', SECTIONS.people), isParent: true },
  insights: section('/dashboard/insights', SECTIONS.insights),
  campaign: section('/dashboard/campaign', SECTIONS.campaign),
  settings: section('/dashboard/settings', SECTIONS.settings),
  look: section('/dashboard/look', SECTIONS.look),
  mail: section('/dashboard/mail', SECTIONS.mail),
  webhooks: section('/dashboard/webhooks', SECTIONS.webhooks),
  payout: section('/dashboard/payout', SECTIONS.payout),
  checks: section('/dashboard/checks', SECTIONS.checks),
  security: section('/dashboard/security', SECTIONS.security),
} as const satisfies Record<string, Route>

export const DASHBOARD_SECTIONS: readonly Route[] = Object.values<Route>(DASHBOARD_ROUTES).filter(
  ({ path }) => path !== ROUTES.dashboard.path,
)

export const SITE_MAP: readonly Route[] = [...Object.values(ROUTES), ...DASHBOARD_SECTIONS]

/** The section at a path, or at the longest path above it; Claims for any other path. */
export function sectionOf(path: string): Route {
  const above = Object.values(DASHBOARD_ROUTES).filter((route) => `${path}/`.startsWith(`${route.path}/`))
  return above.toSorted((one, other) => other.path.length - one.path.length)[0] ?? DASHBOARD_ROUTES.claims
}

export const personPath = (userId: string) => `${DASHBOARD_ROUTES.people.path}/${userId}`

function section(id: Route['id'], { name, description }: { name: string; description: string }): Route {
  return { ...ROUTES.dashboard, id, path: localizedPath(LOCALE, id), name, title: name, description }
}
