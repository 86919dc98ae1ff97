import { type Locale, localizedPath } from '#contract/locales.ts'
import { LOCALE } from '#messages/locale.js'
import { ROUTE_NAMES, ROUTE_TITLES, SCREENS } from '#messages/routes.js'

/** A title or description, with which {@link routeText} fills in the token's name and symbol. */
export type RouteText = string | ((values: { token: string; symbol: string }) => string)

export type Route = {
  /** Identifies the route in every language: its path in the default language. */
  id: `/${string}`
  /** Its path in the language of the build. */
  path: `/${string}`
  name: string
  title: RouteText
  /** Empty for a page, whose description is found by `descriptionOf`. */
  description: RouteText
  /**
   * A page is public (marketing, record or small print) and rendered by the server; a screen is drawn by the
   * application in the browser. A sandbox is a page without an origin of its own, which may call other hosts.
   */
  kind: 'page' | 'screen' | 'sandbox'
  /** `shared` has the header and the footer. */
  layout: 'shared' | 'standalone'
  /** False keeps it out of search results. */
  isIndexed: boolean
  /** Whether it is also shown at every path below its own. */
  isParent?: true
}

/** The paths at which a route is served in a language, as the server's router writes them. */
export function pathsOf({ id, isParent }: Route, locale: Locale): string[] {
  const path = localizedPath(locale, id)
  return isParent ? [path, `${path}/*`] : [path]
}

/** All pages and screens except the sections of the dashboard, which are in dashboard-routes.ts. */
export const ROUTES = {
  home: page('/', 'home'),
  about: page('/about', 'about'),
  tokenomics: page('/tokenomics', 'tokenomics'),
  howToBuy: page('/howtobuy', 'howToBuy'),
  roadmap: page('/roadmap', 'roadmap'),
  rules: page('/rules', 'rules'),
  privacy: page('/privacy', 'privacy'),
  journal: page('/journal', 'journal'),
  archive: page('/archive', 'archive'),
  allocation: page('/allocation', 'allocation'),
  check: { ...page('/check', 'check'), kind: 'sandbox', layout: 'standalone' },
  // Of no use to people who search for the token.
  apiDocs: { ...page('/api/docs', 'apiDocs'), isIndexed: false },
  airdrop: { ...screen('/airdrop', 'airdrop'), isIndexed: true },
  leaderboard: { ...screen('/leaderboard', 'leaderboard'), isIndexed: true },
  profile: screen('/profile', 'profile'),
  dashboard: screen('/dashboard', 'dashboard'),
  setup: { ...screen('/setup', 'setup'), layout: 'standalone' },
  register: { ...screen('/register', 'register'), layout: 'standalone', isIndexed: true },
  login: { ...screen('/login', 'login'), layout: 'standalone', isIndexed: true },
  verifyEmail: { ...screen('/verify-email', 'verifyEmail'), layout: 'standalone' },
  forgotPassword: { ...screen('/forgot-password', 'forgotPassword'), layout: 'standalone' },
  forgotPasswordOtp: { ...screen('/forgot-password-otp', 'forgotPasswordOtp'), layout: 'standalone' },
  resetPassword: { ...screen('/reset-password', 'resetPassword'), layout: 'standalone' },
} as const satisfies Record<string, Route>

/** The links of header and side menu, in order; profile icon and Airdrop button follow them. */
export const NAVIGATION = [ROUTES.home, ROUTES.about, ROUTES.tokenomics, ROUTES.howToBuy, ROUTES.roadmap]

/** The links in the footer of every page: the small print, the public records and the API. */
export const SMALL_PRINT = [
  ROUTES.rules,
  ROUTES.privacy,
  ROUTES.journal,
  ROUTES.allocation,
  ROUTES.archive,
  ROUTES.check,
  ROUTES.apiDocs,
]

export const archivePath = (id: string): Route['path'] => `${ROUTES.archive.path}/${id}`

/** The path of an invitation's picture in the default language, by referral code. */
export const invitationPicture = (code: string): Route['id'] => `/pictures/invitation-${code}.png`

export const routeText = (text: RouteText, { name, symbol }: { name: string; symbol: string }): string =>
  typeof text === 'string' ? text : text({ token: name, symbol })

type TextKey = keyof typeof ROUTE_NAMES

/** Without its description, which the application never shows: see content/site/page-descriptions.ts */
function page(id: Route['id'], key: TextKey): Route {
  return {
    id,
    path: localizedPath(LOCALE, id),
    name: ROUTE_NAMES[key],
    title: ROUTE_TITLES[key],
    description: '',
    kind: 'page',
    layout: 'shared',
    isIndexed: true,
  }
}

function screen(id: keyof typeof SCREENS, key: TextKey): Route {
  return { ...page(id, key), description: SCREENS[id], kind: 'screen', isIndexed: false }
}
