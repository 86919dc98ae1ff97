import { ROUTES } from '#web/routes.ts'
import { deferred } from './deferred.tsx'

/** Header and footer of the screens that share them. */
export const sharedLayout = deferred(() => import('./shared-layout.tsx'))

/** Every screen, by its route. */
export const SCREENS = [
  { route: ROUTES.airdrop, screen: deferred(() => import('./campaign/airdrop.tsx')) },
  { route: ROUTES.leaderboard, screen: deferred(() => import('./campaign/leaderboard.tsx')) },
  { route: ROUTES.profile, screen: deferred(() => import('./account/profile.tsx')) },
  { route: ROUTES.dashboard, screen: deferred(() => import('./admin/dashboard.tsx')) },
  { route: ROUTES.register, screen: deferred(() => import('./account/register.tsx')) },
  { route: ROUTES.login, screen: deferred(() => import('./account/login.tsx')) },
  { route: ROUTES.verifyEmail, screen: deferred(() => import('./account/verify-email.tsx')) },
  { route: ROUTES.forgotPassword, screen: deferred(() => import('./account/forgot-password.tsx')) },
  { route: ROUTES.forgotPasswordOtp, screen: deferred(() => import('./account/forgot-password-otp.tsx')) },
  { route: ROUTES.resetPassword, screen: deferred(() => import('./account/reset-password.tsx')) },
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
