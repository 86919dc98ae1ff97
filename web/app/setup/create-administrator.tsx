import { useQueryClient } from '@tanstack/react-query'
import { navigate } from '#web/features/navigation/location.ts'
import { toast } from 'react-hot-toast/headless'
import { setUp } from '#contract/accounts/setup.ts'
import { CREATE_ADMINISTRATOR } from '#messages/dashboard-setup.js'
import { ApiError } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { startSession } from '#web/features/session/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { UsernameField } from '../account/account-page.tsx'
import { pathOfStep } from './steps.tsx'

/** The first step. The first account that the server accepts uses up the setup link. */
export function CreateAdministrator({ token }: { token: string }) {
  const queries = useQueryClient()
  const { submit, isPending, errors } = useFormCall({
    send: ({ email = '', username = '', password = '' }: FormValues) =>
      call(setUp, { body: { token, email, username, password } }),
    onSuccess: ({ message, token: session, data }) => {
      queries.clear()
      startSession(session, data)
      toast.success(message)
      // So that the token does not stay in the browser's history.
      navigate(pathOfStep('checks'), { replace: true })
    },
    fallback: CREATE_ADMINISTRATOR.failed,
    onError: (error) => {
      // The link has been used or has expired: checking it again replaces the form by the reason.
      if (error instanceof ApiError && error.code.startsWith('setup_'))
        void queries.invalidateQueries({ queryKey: ['setup link', token] })
      return false
    },
  })
  return (
    <Form onValues={submit} className="grid gap-5">
      <Field
        label={CREATE_ADMINISTRATOR.email}
        hint={CREATE_ADMINISTRATOR.emailHint}
        name="email"
        error={errors.email}
        type="email"
        autoComplete="email"
        required
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
