import { type Locale, localizedPath } from '#contract/locales.ts'
import { LOCALE } from '#messages/locale.js'

/**
 * The site map of marketing pages and application screens; server, browser and tests read this one. The sections of
 * the dashboard are in dashboard-routes.ts.
 * `{token}` in a title or description is the token's name, `{symbol}` its symbol.
 */
export type Route = {
  /** Its path in the default language, which names it in every language. */
  id: `/${string}`
  /** Its path in the language of the build. */
  path: `/${string}`
  /** What the navigation calls it. */
  name: string
  title: string
  /** Empty for a page: see `descriptionOf`. */
  description: string
  /**
   * A page is rendered by the server; a screen is drawn by the application in the browser. A sandbox is a page
   * without an origin of its own, which may call other hosts.
   */
  kind: 'page' | 'screen' | 'sandbox'
  /** Whether header and footer surround it. */
  layout: 'shared' | 'standalone'
  /** False keeps it out of search results. */
  indexed: boolean
  /** Whether it is shown at all paths below its own, too. */
  isParent?: true
}

/** The paths at which a route is served in a language, as the server's router writes them. */
export function pathsOf({ id, isParent }: Route, locale: Locale): string[] {
  const path = localizedPath(locale, id)
  return isParent ? [path, `${path}/*`] : [path]
}

export const ROUTES = {
  home: page('/', 'Home', '{token} ({symbol}): zero taxes, burned liquidity'),
  about: page('/about', 'About', 'About {token}'),
  tokenomics: page('/tokenomics', 'Tokenomics', 'Tokenomics of {token}'),
  howToBuy: page('/howtobuy', 'How to Buy', 'How to buy {token}'),
  roadmap: page('/roadmap', 'Roadmap', 'Roadmap of {token}'),
  rules: page('/rules', 'Rules', 'Rules of the {token} airdrop'),
  privacy: page('/privacy', 'Privacy and terms', 'Privacy and terms of {token}'),
  journal: page('/journal', 'Journal', 'Journal of the {token} airdrop'),
  archive: page('/archive', 'Earlier airdrops', 'Earlier airdrops of {token}'),
  allocation: page('/allocation', 'Allocation', 'Allocation of the {token} airdrop'),
  check: {
    ...page('/check', 'Check the claims', 'Check the claims of {token} yourself'),
    kind: 'sandbox',
    layout: 'standalone',
  },
  apiDocs: {
    ...page('/api/docs', 'API', 'API of {token}'),
    // For developers, not for those who search for the token.
    indexed: false,
  },
  airdrop: screen(
    '/airdrop',
    'Airdrop',
    'shared',
    'Airdrop of {token}',
    'Take part with one proof, verified by hand. Limited slots, first come, first served.',
    true,
  ),
  leaderboard: screen(
    '/leaderboard',
    'Leaderboard',
    'shared',
    'Leaderboard of {token}',
    'Everyone in the {token} airdrop with a verified email, ranked by points.',
    true,
  ),
  profile: screen(
    '/profile',
    'My Profile',
    'shared',
    'My profile',
    'Your points, your referral code and the status of your claim.',
  ),
  dashboard: screen('/dashboard', 'Dashboard', 'shared', 'Dashboard', 'Verify submitted tasks.'),
  setup: screen('/setup', 'Set up', 'standalone', 'Set up', 'Set up the campaign.'),
  register: screen(
    '/register',
    'Create Account',
    'standalone',
    'Create account',
    'Create an account for the {token} airdrop.',
    true,
  ),
  login: screen('/login', 'Login', 'standalone', 'Login', 'Log in to the {token} airdrop.', true),
  verifyEmail: screen(
    '/verify-email',
    'Verify Email',
    'standalone',
    'Verify your email',
    'Enter the 6-digit code from your email.',
  ),
  forgotPassword: screen(
    '/forgot-password',
    'Forgot Password',
    'standalone',
    'Forgot password',
    'Request a code to set a new password.',
  ),
  forgotPasswordOtp: screen(
    '/forgot-password-otp',
    'Verify OTP',
    'standalone',
    'Verify OTP',
    'Enter the 6-digit reset code from your email.',
  ),
  resetPassword: screen(
    '/reset-password',
    'Reset Password',
    'standalone',
    'Reset password',
    'Set a new password.',
  ),
} as const satisfies Record<string, Route>

/** The links of header and side menu, in order; profile icon and Airdrop button follow them. */
export const NAVIGATION = [ROUTES.home, ROUTES.about, ROUTES.tokenomics, ROUTES.howToBuy, ROUTES.roadmap]

/** The small print, the journal, the allocation, earlier airdrops, the check of the claims and the API, linked at the foot of every page. */
export const SMALL_PRINT = [
  ROUTES.rules,
  ROUTES.privacy,
  ROUTES.journal,
  ROUTES.allocation,
  ROUTES.archive,
  ROUTES.check,
  ROUTES.apiDocs,
]

/** The page of a campaign that has ended. */
export const archivePath = (id: string): Route['path'] => `${ROUTES.archive.path}/${id}`

/** Where the picture of an invitation is, by its referral code. */
export const invitationPicture = (code: string) => `/pictures/invitation-${code}.png`

/** Title or description of a route with the token's name and symbol filled in. */
export function routeText(text: string, token: { name: string; symbol: string }): string {
  return text.replaceAll('{token}', token.name).replaceAll('{symbol}', token.symbol)
}

/** Its description is in content/page-descriptions.ts: the application, which has this file, never shows it. */
function page(id: Route['id'], name: string, title: string): Route {
  return {
    id,
    path: localizedPath(LOCALE, id),
    name,
    title,
    description: '',
    kind: 'page',
    layout: 'shared',
    indexed: true,
  }
}

function screen(
  id: Route['id'],
  name: string,
  layout: Route['layout'],
  title: string,
  description: string,
  indexed = false,
): Route {
  return { id, path: localizedPath(LOCALE, id), name, title, description, kind: 'screen', layout, indexed }
}
