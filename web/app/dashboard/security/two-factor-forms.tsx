import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import {
  beginTwoFactor,
  confirmTwoFactor,
  endTwoFactor,
  renewRecoveryCodes,
} from '#contract/accounts/two-factor.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import { MAX_TWO_FACTOR_CODE_LENGTH } from '#contract/protocol/fields.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { SECURITY } from '#messages/dashboard-security.js'
import { call } from '#web/features/api/call.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'
import { CancelableForm } from '../ui/dialogs.tsx'

type CodesFormProps = {
  onCodes: (codes: readonly string[]) => void
  onClose: () => void
}
type TwoFactorSecret = ReplyOf<typeof beginTwoFactor>['data']

/** Sets up two-factor login in two steps: first the password, then a code made with the new secret. */
export function SetUpForm({ onCodes, onClose }: CodesFormProps) {
  const [newSecret, setNewSecret] = useState<TwoFactorSecret>()
  if (!newSecret) return <PasswordStep onSecret={setNewSecret} onClose={onClose} />
  return <CodeStep newSecret={newSecret} onCodes={onCodes} onClose={onClose} />
}

type PasswordStepProps = { onSecret: (newSecret: TwoFactorSecret) => void; onClose: () => void }

function PasswordStep({ onSecret, onClose }: PasswordStepProps) {
  const { submit, isPending, errors } = useFormCall({
    send: ({ password = '' }: FormValues) => call(beginTwoFactor, { body: { password } }),
    onSuccess: ({ data }) => onSecret(data),
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <CancelableForm submitLabel={SECURITY.next} isPending={isPending} onValues={submit} onClose={onClose}>
      <PasswordField label={SECURITY.password} error={errors['password']} />
    </CancelableForm>
  )
}

type CodeStepProps = CodesFormProps & { newSecret: TwoFactorSecret }

function CodeStep({ newSecret: { secret, uri }, onCodes, onClose }: CodeStepProps) {
  const { submit, isPending, errors } = useFormCall({
    send: ({ otp = '' }: FormValues) => call(confirmTwoFactor, { body: { otp: otp.replace(/\s/g, '') } }),
    onSuccess: ({ recoveryCodes, message }) => {
      toast.success(message)
      onCodes(recoveryCodes)
    },
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <CancelableForm submitLabel={SECURITY.confirm} isPending={isPending} onValues={submit} onClose={onClose}>
      <p>{SECURITY.scan}</p>
      <QrCode text={uri} label={SECURITY.qr} className="w-56 justify-self-center" />
      <div className="grid gap-1">
        <p className="label">{SECURITY.secret}</p>
        <code className="figures text-sm break-all">{inGroupsOfFour(secret)}</code>
      </div>
      <Field
        label={SECURITY.code}
        error={errors['otp']}
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7} // six digits, and the space that some apps show between them
        required
      />
    </CancelableForm>
  )
}

const inGroupsOfFour = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ')

export function RenewForm({ onCodes, onClose }: CodesFormProps) {
  const { submit, isPending, errors } = useFormCall({
    send: ({ otp = '' }: FormValues) => call(renewRecoveryCodes, { body: { otp } }),
    onSuccess: ({ recoveryCodes, message }) => {
      toast.success(message)
      onCodes(recoveryCodes)
    },
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <CancelableForm submitLabel={SECURITY.renewNow} isPending={isPending} onValues={submit} onClose={onClose}>
      <p>{SECURITY.renewLead}</p>
      <CodeField error={errors['otp']} />
    </CancelableForm>
  )
}

export function TurnOffForm({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { submit, isPending, errors } = useFormCall({
    send: ({ password = '', otp = '' }: FormValues) => call(endTwoFactor, { body: { password, otp } }),
    onSuccess: ({ message }) => {
      toast.success(message)
      onClose()
      void queries.invalidateQueries()
    },
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <CancelableForm submitLabel={SECURITY.turnOff} isPending={isPending} onValues={submit} onClose={onClose}>
      <p>{SECURITY.turnOffLead}</p>
      <PasswordField label={SECURITY.password} error={errors['password']} />
      <CodeField error={errors['otp']} />
    </CancelableForm>
  )
}

/** Takes a code of the authenticator or a recovery code. The form's value is `otp`. */
function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      label={SECURITY.anyCode}
      error={error}
      name="otp"
      autoComplete="one-time-code"
      maxLength={MAX_TWO_FACTOR_CODE_LENGTH}
      required
    />
  )
}
