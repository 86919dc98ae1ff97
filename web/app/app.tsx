import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy } from 'react'
import { Route, Routes } from 'react-router'
import { SHARED_WORDS } from '#web/content/shared.ts'
import { ROUTES } from '#web/routes.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { BrowserRouter } from './browser-router.tsx'

/*
 * No `Suspense` around them: every move is a transition, so what is on the screen (at first what the server
 * drew) stays until the next screen can be drawn in one go.
 */
const SharedLayout = lazy(() => import('./shared-layout.tsx'))
const Airdrop = lazy(() => import('./campaign/airdrop.tsx'))
const Leaderboard = lazy(() => import('./campaign/leaderboard.tsx'))
const Profile = lazy(() => import('./account/profile.tsx'))
const Dashboard = lazy(() => import('./admin/dashboard.tsx'))
const Register = lazy(() => import('./account/register.tsx'))
const Login = lazy(() => import('./account/login.tsx'))
const VerifyEmail = lazy(() => import('./account/verify-email.tsx'))
const ForgotPassword = lazy(() => import('./account/forgot-password.tsx'))
const ForgotPasswordOtp = lazy(() => import('./account/forgot-password-otp.tsx'))
const ResetPassword = lazy(() => import('./account/reset-password.tsx'))

/** Failures are told at once: nothing is tried again behind the person's back, nor held back while offline. */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <Routes>
          <Route element={<SharedLayout />}>
            <Route path={ROUTES.airdrop.path} element={<Airdrop />} />
            <Route path={ROUTES.leaderboard.path} element={<Leaderboard />} />
            <Route path={ROUTES.profile.path} element={<Profile />} />
            <Route path={ROUTES.dashboard.path} element={<Dashboard />} />
          </Route>
          <Route path={ROUTES.register.path} element={<Register />} />
          <Route path={ROUTES.login.path} element={<Login />} />
          <Route path={ROUTES.verifyEmail.path} element={<VerifyEmail />} />
          <Route path={ROUTES.forgotPassword.path} element={<ForgotPassword />} />
          <Route path={ROUTES.forgotPasswordOtp.path} element={<ForgotPasswordOtp />} />
          <Route path={ROUTES.resetPassword.path} element={<ResetPassword />} />
        </Routes>
      </BrowserRouter>
      <Toaster label={SHARED_WORDS.notices} />
    </QueryClientProvider>
  )
}
