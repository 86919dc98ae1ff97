import { useQuery } from '@tanstack/react-query'
import { checkSetupLink } from '#contract/accounts/setup.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { CREATE_ADMINISTRATOR, SETUP_LINK } from '#messages/dashboard-setup.js'
import { ApiError, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { ROUTES } from '#web/routes.ts'
import { LoadFailed } from '#web/ui/load-failed.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AccountPage } from '../account/account-page.tsx'
import { CreateAdministrator } from './create-administrator.tsx'
import { NoLink } from './no-link.tsx'

/** Asks whether the link can be used before anything is typed. */
export function OpenLink({ token }: { token: string }) {
  const link = useQuery({
    queryKey: ['setup link', token],
    queryFn: () => call(checkSetupLink, { body: { token } }),
    refetchOnWindowFocus: false,
  })
  if (link.error instanceof ApiError && link.error.code.startsWith('setup_'))
    return <Refused message={messageOf(link.error, SETUP_LINK.refused)} />
  return (
    <AccountPage route={ROUTES.setup} title={CREATE_ADMINISTRATOR.title} lead={CREATE_ADMINISTRATOR.lead}>
      {link.isSuccess ? (
        <CreateAdministrator token={token} />
      ) : link.isError ? (
        <LoadFailed
          text={messageOf(link.error, SETUP_LINK.unchecked)}
          again={DASHBOARD_WORDS.again}
          onAgain={() => void link.refetch()}
        />
      ) : (
        <div role="status" aria-label={SETUP_LINK.checking} className="grid gap-5">
          {[0, 1, 2].map((field) => (
            <Skeleton key={field} className="h-12 w-full" />
          ))}
        </div>
      )}
    </AccountPage>
  )
}

/** The server's sentence says why, and for a used link what to do. */
function Refused({ message }: { message: string }) {
  return (
    <NoLink>
      <p role="alert" className="font-semibold">
        {message}
      </p>
    </NoLink>
  )
}
