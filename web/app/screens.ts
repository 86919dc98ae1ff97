import { ROUTES } from '#web/routes.ts'
import { lazyScreen } from './lazy-screen.tsx'

/** Header and footer of the screens that share them. */
export const sharedLayout = lazyScreen(() => import('./shared-layout.tsx'))

/** Every screen, by its route. */
export const SCREENS = [
  { route: ROUTES.airdrop, screen: lazyScreen(() => import('./campaign/airdrop.tsx')) },
  { route: ROUTES.leaderboard, screen: lazyScreen(() => import('./campaign/leaderboard.tsx')) },
  { route: ROUTES.profile, screen: lazyScreen(() => import('./account/profile.tsx')) },
  { route: ROUTES.dashboard, screen: lazyScreen(() => import('./admin/dashboard.tsx')) },
  { route: ROUTES.register, screen: lazyScreen(() => import('./account/register.tsx')) },
  { route: ROUTES.login, screen: lazyScreen(() => import('./account/login.tsx')) },
  { route: ROUTES.verifyEmail, screen: lazyScreen(() => import('./account/verify-email.tsx')) },
  { route: ROUTES.forgotPassword, screen: lazyScreen(() => import('./account/forgot-password.tsx')) },
  { route: ROUTES.forgotPasswordOtp, screen: lazyScreen(() => import('./account/forgot-password-otp.tsx')) },
  { route: ROUTES.resetPassword, screen: lazyScreen(() => import('./account/reset-password.tsx')) },
]

/** Fetches all that the screen at a path needs; an unknown path needs nothing. */
export async function fetchScreen(path: string): Promise<void> {
  const found = SCREENS.find(({ route }) => route.path === path)
  if (!found) return
  const { route, screen } = found
  await Promise.all([screen.fetch(), route.layout === 'shared' ? sharedLayout.fetch() : null])
}

/** Begins to fetch a screen that is likely to be wanted; whether that works shows when it is. */
export function prepareScreen(path: string): void {
  fetchScreen(path).catch(() => {})
}
