import { useEffect, useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { register } from '#contract/accounts/accounts.ts'
import { referral } from '#contract/referrals.ts'
import { REGISTER } from '#messages/register.js'
import { navigate } from '#web/features/navigation/location.ts'
import { call } from '#web/features/api/call.ts'
import { useData } from '#web/features/api/use-data.ts'
import { useProofOfWork } from '#web/features/challenge/proof-of-work.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { readReferral } from '#web/features/referral/referral.ts'
import { store } from '#web/features/session/storage.ts'
import { arrivedFrom, countView } from '#web/features/visits/count-view.ts'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/forms/checkbox.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { RichText, TextLink } from '#web/ui/text/rich-text.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { AccountPage, Aside, NewEmailField, UsernameField } from './account-page.tsx'

/**
 * The sign-up screen: username, email and password are required. Stores the email in localStorage for the next
 * screen, which verifies it.
 */
export default function Register() {
  useEffect(() => countView(ROUTES.register.path), [])
  const { work, progress } = useProofOfWork()
  const { submit, isPending, errors } = useFormCall({
    send: (values: FormValues) => call(register, { body: bodyOf(values) }, work),
    onSuccess: (_, values) => {
      toast.success(REGISTER.done)
      store('userEmail', values.email ?? '')
      navigate(ROUTES.verifyEmail.path)
    },
    fallback: REGISTER.failed,
  })

  return (
    <AccountPage route={ROUTES.register} title={REGISTER.title} lead={REGISTER.lead}>
      <Form onValues={submit} progress={progress} className="grid gap-5">
        <UsernameField label={REGISTER.username} hint={REGISTER.usernameHint} error={errors.username} />
        <NewEmailField label={REGISTER.email} hint={REGISTER.emailHint} error={errors.email} />
        <PasswordField
          label={REGISTER.password}
          hint={REGISTER.passwordHint}
          error={errors.password}
          autoComplete="new-password"
        />
        <ReferralField error={errors.referralCode} />
        <Checkbox name="announcements">{REGISTER.announcements}</Checkbox>
        <Consent />
        <Button type="submit" isPending={isPending}>
          {REGISTER.button}
        </Button>
      </Form>
      <Aside question={REGISTER.haveAccount} to={ROUTES.login.path}>
        {REGISTER.login}
      </Aside>
    </AccountPage>
  )
}

/** Omits what is empty or unknown, and trims the space that a phone's keyboard adds to a name. */
function bodyOf({ username = '', email = '', password = '', referralCode = '', announcements }: FormValues) {
  return {
    username: username.trim(),
    email,
    password,
    referralCode: referralCode.trim() || undefined,
    announcements: announcements === undefined ? undefined : true,
    arrivedFrom: arrivedFrom(),
  }
}

/** The referral code, prefilled from the invitation link. Shows the referrer's name. */
function ReferralField({ error }: { error: string | undefined }) {
  const [code, setCode] = useState(() => readReferral(location.search))
  const referrer = useData(referral, {
    queryKey: ['referral', code],
    params: { code },
    enabled: code !== '',
    staleTime: Infinity,
  })
  return (
    <Field
      label={REGISTER.referralCode}
      name="referralCode"
      // Never empty: if the line came or went on blur, the button would move away from the click on it.
      hint={referrer.data ? REGISTER.invitedBy(referrer.data) : REGISTER.referralHint}
      error={error}
      defaultValue={code}
      onBlur={(event) => setCode(event.target.value.trim())}
      autoComplete="off"
      spellCheck={false}
    />
  )
}

/** Links to the rules and the privacy page, in new tabs, so that the form keeps its values. */
function Consent() {
  return (
    <p className="text-sm text-ink-soft">
      <RichText
        text={REGISTER.consent}
        tags={{
          rules: <TextLink href={ROUTES.rules.path} target="_blank" rel="noopener" />,
          privacy: <TextLink href={ROUTES.privacy.path} target="_blank" rel="noopener" />,
        }}
      />
    </p>
  )
}
