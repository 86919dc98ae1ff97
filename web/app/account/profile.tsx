import { PROFILE } from '#web/content/profile.ts'
import { isUnauthorized, messageOf } from '#web/features/api/api-error.ts'
import { useProfile } from '#web/features/profile/use-profile.ts'
import { RedirectTo } from '#web/features/session/redirect-to.tsx'
import { isLoggedIn } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MainRegion } from '../main-region.tsx'
import { ClaimSection } from './claim-section.tsx'
import { Passport } from './passport.tsx'
// Imported first: it takes the code out of the address before anything renders.
import './telegram-return.ts'
import { useLogout } from './use-logout.ts'

export default function Profile() {
  const { data: user, error } = useProfile()
  const logout = useLogout()

  // A failed refetch keeps the data on screen, unless the session has ended.
  if (logout.isIdle && error && (!user || isUnauthorized(error)))
    return <RedirectTo to={ROUTES.login.path} message={messageOf(error, PROFILE.fetchFailed)} />
  if (logout.isIdle && !isLoggedIn())
    return <RedirectTo to={ROUTES.login.path} message={PROFILE.loginFirst} />
  return (
    <MainRegion route={ROUTES.profile} className="page pt-10 sm:pt-14">
      <h1 className="text-3xl">{PROFILE.title}</h1>
      {user ? (
        <>
          <Passport
            user={user}
            leaving={!logout.isIdle}
            onLogout={(everywhere) => logout.mutate({ everywhere })}
          />
          {logout.isIdle && <ClaimSection />}
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
