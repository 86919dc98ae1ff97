import { useMutation } from '@tanstack/react-query'
import { useEffect, useState, type ComponentType } from 'react'
import { toast } from 'react-hot-toast/headless'
import { logout, logoutAll } from '#contract/accounts/sessions.ts'
import { PROFILE } from '#messages/profile.js'
import { isUnauthenticated, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { useProfile } from '#web/features/profile/use-profile.ts'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { useIsLoggedIn } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MainRegion } from '../main-region.tsx'
import { Passport } from './passport.tsx'
import { MissingPart } from '../missing-part.tsx'
import { PendingSection, ProfileSections } from './profile-section.tsx'
import { useSessionEnd } from './use-session-end.ts'
// Imported here because it removes Telegram's code from the address, before anything renders.
import './telegram-return.ts'

export default function Profile() {
  const { data: user, error } = useProfile()
  const isLoggedIn = useIsLoggedIn()
  const loggingOut = useLogout()
  // Stays true after the call: the session has ended, and another screen is about to open.
  const isLoggingOut = !loggingOut.isIdle

  // After a failed refetch, the old data stay on screen, unless the session has ended.
  if (!isLoggingOut && error && (!user || isUnauthenticated(error)))
    return <RedirectTo to={ROUTES.login.path} message={messageOf(error, PROFILE.fetchFailed)} />
  if (!isLoggingOut && !isLoggedIn) return <RedirectTo to={ROUTES.login.path} message={PROFILE.loginFirst} />
  return (
    <MainRegion route={ROUTES.profile} className="page min-h-svh pt-10 sm:pt-14">
      <h1 className="text-3xl">{PROFILE.title}</h1>
      {user ? (
        <>
          <Passport user={user} isLoggingOut={isLoggingOut} onLogout={loggingOut.mutate} />
          {!isLoggingOut && <LaterSections />}
        </>
      ) : (
        <div role="status" aria-label={PROFILE.loading} className="mt-8 sheet p-6 sm:p-10">
          <Skeleton className="h-8 w-1/3" />
          <Skeleton className="mt-10 h-24 w-full" />
          <Skeleton className="mt-10 h-48 w-full" />
        </div>
      )}
    </MainRegion>
  )
}

/** Ends this browser's session even if the call fails. `isEverywhere` ends all other sessions too. */
function useLogout() {
  const endSession = useSessionEnd()
  return useMutation({
    mutationFn: (isEverywhere: boolean) => call(isEverywhere ? logoutAll : logout, {}),
    onSuccess: () => toast.success(PROFILE.loggedOut),
    onError: (error) => toast.error(messageOf(error, PROFILE.logoutFailed)),
    onSettled: endSession,
  })
}

/** Below the passport and loaded after it: an offer of a role, claim, announcements, sessions, and data. */
function LaterSections() {
  const [sections, setSections] = useState<readonly ComponentType[]>([])
  const [isMissing, setMissing] = useState(false)
  function load() {
    Promise.all([
      import('./your-claim.tsx'),
      import('./announcement-consent.tsx'),
      import('./own-sessions.tsx'),
      import('./your-data.tsx'),
    ]).then(
      ([{ YourClaim }, { AnnouncementConsent }, { OwnSessions }, { RoleOffer, YourData }]) =>
        // The offer to become an administrator comes first, because the email about it leads to this page.
        setSections([RoleOffer, YourClaim, AnnouncementConsent, OwnSessions, YourData]),
      (error: unknown) => {
        console.error('The sections of the profile failed to load', error)
        setMissing(true)
      },
    )
  }
  function loadAgain() {
    setMissing(false)
    load()
  }
  useEffect(load, [])
  if (isMissing) return <MissingPart onRetry={loadAgain} />
  return (
    <ProfileSections>
      {sections.length > 0 ? sections.map((Section, index) => <Section key={index} />) : <PendingSection />}
    </ProfileSections>
  )
}
