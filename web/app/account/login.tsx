import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { navigate } from '#web/features/navigation/location.ts'
import * as z from 'zod/mini'
import { User } from '#contract/entities.ts'
import { login } from '#contract/accounts/sessions.ts'
import { LOGIN } from '#messages/account.js'
import { hasCode, messageOf } from '#web/features/api/api-error.ts'
import { call } from '#web/features/api/call.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { startSession } from '#web/features/session/session.ts'
import { store } from '#web/features/session/storage.ts'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { lazyScreen } from '../lazy-screen.tsx'
import { AccountPage, Aside, EmailField } from './account-page.tsx'

/** Accepts any role, so that the screen can report an unknown one instead of failing to parse the reply. */
const anyRoleLogin = {
  ...login,
  reply: z.extend(login.reply, { data: z.extend(User, { role: z.string() }) }),
}

const { Component: SecondFactor, load: loadSecondFactor } = lazyScreen(() => import('./second-factor.tsx'))

/** The path that each role is redirected to after login. */
const HOMES = new Map<string, string>([
  ['admin', ROUTES.dashboard.path],
  ['user', ROUTES.profile.path],
])

/** The login form, followed by the step for a code if the account has two-factor login. */
export default function Login() {
  const queries = useQueryClient()
  /** The accepted email and password, once the server has asked for a code as well. */
  const [firstFactor, setFirstFactor] = useState<FormValues>()
  /** The email to fill in again when someone returns from the step that asks for the code. */
  const [typedEmail, setTypedEmail] = useState<string>()
  const { submit, isPending, errors, reset } = useFormCall({
    send: ({ email = '', password = '', otp }: FormValues) =>
      call(anyRoleLogin, { body: { email, password, otp: otp || undefined } }).catch(async (error) => {
        // Loads the step for the code before the form goes, so that a failure to load keeps what was typed.
        if (hasCode(error, 'two_factor_required')) await loadSecondFactor()
        throw error
      }),
    onSuccess: ({ token, data }) => {
      queries.clear()
      startSession(token, data)
      toast.success(LOGIN.done)
      const home = HOMES.get(data.role)
      if (home) navigate(home)
      else refuseRole()
    },
    fallback: LOGIN.failed,
    onError: (error, { email = '', password = '' }) => {
      if (hasCode(error, 'two_factor_required')) {
        setFirstFactor({ email, password })
        return true
      }
      // A proxy or an older server may send the message without its code.
      const isUnverified = hasCode(error, 'email_unverified') || messageOf(error, '') === LOGIN.unverified
      if (!isUnverified) return false
      toast.error(LOGIN.verifyFirst)
      store('userEmail', email)
      navigate(ROUTES.verifyEmail.path)
      return true
    },
  })

  function refuseRole() {
    toast.error(LOGIN.unknownRole)
    reset()
  }

  function returnFromSecondFactor() {
    setTypedEmail(firstFactor?.email)
    setFirstFactor(undefined)
    reset()
  }

  if (firstFactor)
    return (
      <SecondFactor
        isPending={isPending}
        error={errors.otp}
        onCode={(otp) => submit({ ...firstFactor, otp })}
        onBack={returnFromSecondFactor}
      />
    )
  return (
    <AccountPage route={ROUTES.login} title={LOGIN.title} lead={LOGIN.lead}>
      <Form onValues={submit} className="grid gap-5">
        <EmailField label={LOGIN.email} error={errors.email} defaultValue={typedEmail} />
        <PasswordField label={LOGIN.password} error={errors.password} />
        <Button type="submit" isPending={isPending}>
          {LOGIN.button}
        </Button>
      </Form>
      <Aside to={ROUTES.forgotPassword.path}>{LOGIN.forgot}</Aside>
      <Aside question={LOGIN.noAccount} to={ROUTES.register.path}>
        {LOGIN.register}
      </Aside>
    </AccountPage>
  )
}
