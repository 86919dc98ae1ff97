import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toast } from 'react-hot-toast/headless'
import { checkSetupLink, setUp } from '#contract/accounts/setup.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { CREATE_ADMINISTRATOR, SETUP_LINK } from '#messages/dashboard-setup.js'
import { ApiError, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { navigate, useLocation } from '#web/features/navigation/location.ts'
import { isLoggedIn, sessionUser, startSession } from '#web/features/session/session.ts'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadError } from '#web/ui/load-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AccountPage, Aside, NewEmailField, UsernameField } from '../account/account-page.tsx'
import { Command } from '../dashboard/ui/copy.tsx'
import { pathOfStep, Steps } from './steps.tsx'

/** The first run: a setup link leads to a form for the first administrator, who then sees the next steps. */
export default function Setup() {
  const { hash } = useLocation()
  if (isLoggedIn() && sessionUser()?.role === 'admin') return <Steps />
  const token = new URLSearchParams(hash.slice(1)).get('token')
  return token ? <OpenLink token={token} /> : <NoLink />
}

function OpenLink({ token }: { token: string }) {
  const link = useQuery({
    queryKey: linkKey(token),
    queryFn: () => call(checkSetupLink, { body: { token } }),
    refetchOnWindowFocus: false,
  })
  if (isLinkRefusal(link.error))
    return (
      // The server says why, and what to do if the link has been used.
      <NoLink>
        <p role="alert" className="font-semibold">
          {messageOf(link.error, SETUP_LINK.refused)}
        </p>
      </NoLink>
    )
  return (
    <AccountPage route={ROUTES.setup} title={CREATE_ADMINISTRATOR.title} lead={CREATE_ADMINISTRATOR.lead}>
      {link.isSuccess && <CreateAdministrator token={token} />}
      {link.isError && (
        <LoadError
          text={messageOf(link.error, SETUP_LINK.unchecked)}
          retryLabel={DASHBOARD_WORDS.again}
          onRetry={() => void link.refetch()}
        />
      )}
      {link.isPending && (
        <div role="status" aria-label={SETUP_LINK.checking} className="grid gap-5">
          {[0, 1, 2].map((field) => (
            <Skeleton key={field} className="h-12 w-full" />
          ))}
        </div>
      )}
    </AccountPage>
  )
}

const linkKey = (token: string) => ['setup link', token]

/** Whether the link is wrong, used or expired, or an administrator exists already. */
const isLinkRefusal = (error: unknown) => error instanceof ApiError && error.code.startsWith('setup_')

function CreateAdministrator({ token }: { token: string }) {
  const queries = useQueryClient()
  const { submit, isPending, errors } = useFormCall({
    send: ({ email = '', username = '', password = '' }: FormValues) =>
      call(setUp, { body: { token, email, username, password } }),
    onSuccess: ({ message, token: session, data }) => {
      queries.clear()
      startSession(session, data)
      toast.success(message)
      // Keeps the address with the token out of the browser's history.
      navigate(pathOfStep('checks'), { replace: true })
    },
    fallback: CREATE_ADMINISTRATOR.failed,
    onError: (error) => {
      // Checks the link again, which replaces the form with the reason. The error is shown as a toast, too.
      if (isLinkRefusal(error)) void queries.invalidateQueries({ queryKey: linkKey(token) })
      return false
    },
  })
  return (
    <Form onValues={submit} className="grid gap-5">
      <NewEmailField
        label={CREATE_ADMINISTRATOR.email}
        hint={CREATE_ADMINISTRATOR.emailHint}
        error={errors.email}
      />
      <UsernameField
        label={CREATE_ADMINISTRATOR.username}
        hint={CREATE_ADMINISTRATOR.usernameHint}
        error={errors.username}
      />
      <PasswordField
        label={CREATE_ADMINISTRATOR.password}
        hint={CREATE_ADMINISTRATOR.passwordHint}
        error={errors.password}
        autoComplete="new-password"
      />
      <Button type="submit" isPending={isPending}>
        {CREATE_ADMINISTRATOR.button}
      </Button>
    </Form>
  )
}

function NoLink({ children }: { children?: ReactNode }) {
  return (
    <AccountPage route={ROUTES.setup} title={SETUP_LINK.title} lead={SETUP_LINK.lead}>
      <div className="grid gap-4">
        {children ?? <p>{SETUP_LINK.where}</p>}
        <p>{SETUP_LINK.another}</p>
        <Command text={SETUP_LINK.command} />
      </div>
      <Aside question={SETUP_LINK.hasAccount} to={ROUTES.login.path}>
        {SETUP_LINK.login}
      </Aside>
    </AccountPage>
  )
}
