import { type Route, ROUTES } from '#web/routes.ts'
import { lazyScreen } from './lazy-screen.tsx'

export const sharedLayout = lazyScreen(() => import('./shared-layout.tsx'))

const dashboard = lazyScreen(() => import('./dashboard/sections.tsx'))

type Screen = {
  route: Route
  screen: ReturnType<typeof lazyScreen>
  /** Whether the screen also shows all paths below its own. */
  isParent?: true
}

const SCREENS: readonly Screen[] = [
  { route: ROUTES.airdrop, screen: lazyScreen(() => import('./campaign/airdrop.tsx')) },
  { route: ROUTES.leaderboard, screen: lazyScreen(() => import('./campaign/leaderboard.tsx')) },
  { route: ROUTES.profile, screen: lazyScreen(() => import('./account/profile.tsx')) },
  { route: ROUTES.dashboard, screen: dashboard, isParent: true },
  { route: ROUTES.setup, screen: lazyScreen(() => import('./setup/setup.tsx')) },
  { route: ROUTES.register, screen: lazyScreen(() => import('./account/register.tsx')) },
  { route: ROUTES.login, screen: lazyScreen(() => import('./account/login.tsx')) },
  { route: ROUTES.verifyEmail, screen: lazyScreen(() => import('./account/verify-email.tsx')) },
  { route: ROUTES.forgotPassword, screen: lazyScreen(() => import('./account/forgot-password.tsx')) },
  { route: ROUTES.forgotPasswordOtp, screen: lazyScreen(() => import('./account/forgot-password-otp.tsx')) },
  { route: ROUTES.resetPassword, screen: lazyScreen(() => import('./account/reset-password.tsx')) },
]

export function screenAt(path: string): Screen | undefined {
  const barePath = path.replace(/\/$/, '')
  return SCREENS.find(
    ({ route, isParent }) => route.path === barePath || (isParent && barePath.startsWith(`${route.path}/`)),
  )
}

/** Fetches the modules of the screen at a path. Does nothing for an unknown path. */
export async function loadScreen(path: string): Promise<void> {
  const match = screenAt(path)
  if (!match) return
  const { route, screen } = match
  await Promise.all([screen.load(), route.layout === 'shared' ? sharedLayout.load() : null])
}

/** Like {@link loadScreen}, without errors: they are shown when the screen is opened. */
export function preloadScreen(path: string): void {
  loadScreen(path).catch(() => {})
}
