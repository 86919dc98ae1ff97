import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { endTwoFactor, renewRecoveryCodes } from '#contract/accounts/two-factor.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { SECURITY } from '#messages/dashboard-security.js'
import { call } from '#web/features/api/call.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { Copy } from '../copy.tsx'
import { AskForm } from '../form-dialog.tsx'

type DialogProps = { open: boolean; onClose: () => void }

/** Asks for a code, then shows new recovery codes. */
export function RenewCodesDialog({ open, onClose }: DialogProps) {
  const queries = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  function close() {
    setCodes(undefined)
    onClose()
    void queries.invalidateQueries()
  }
  return (
    // Also if it was closed while the codes were being made: they cannot be shown again.
    <Dialog
      open={open || codes !== undefined}
      title={codes ? SECURITY.codesTitle : SECURITY.renewTitle}
      onClose={close}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={close} />
      ) : (
        <RenewForm onRenewed={setCodes} onClose={close} />
      )}
    </Dialog>
  )
}

type RenewFormProps = { onRenewed: (codes: readonly string[]) => void; onClose: () => void }

function RenewForm({ onRenewed, onClose }: RenewFormProps) {
  const { submit, isPending, errors } = useFormCall({
    send: ({ otp = '' }: FormValues) => call(renewRecoveryCodes, { body: { otp } }),
    onSuccess: ({ recoveryCodes, message }) => {
      toast.success(message)
      onRenewed(recoveryCodes)
    },
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <AskForm yes={SECURITY.renewNow} isPending={isPending} onValues={submit} onClose={onClose}>
      <p>{SECURITY.renewLead}</p>
      <CodeField error={errors['otp']} />
    </AskForm>
  )
}

/** Asks for the password and a code before two-factor login is turned off. */
export function TurnOffDialog({ open, onClose }: DialogProps) {
  return (
    <Dialog open={open} title={SECURITY.turnOffTitle} onClose={onClose}>
      <TurnOffForm onClose={onClose} />
    </Dialog>
  )
}

function TurnOffForm({ onClose }: { onClose: () => void }) {
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
    <AskForm yes={SECURITY.turnOff} isPending={isPending} onValues={submit} onClose={onClose}>
      <p>{SECURITY.turnOffLead}</p>
      <PasswordField label={SECURITY.password} error={errors['password']} />
      <CodeField error={errors['otp']} />
    </AskForm>
  )
}

/** Takes a code of the authenticator or a recovery code; the form gets it as `otp`. */
function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      label={SECURITY.anyCode}
      error={error}
      name="otp"
      autoComplete="one-time-code"
      maxLength={40}
      required
    />
  )
}

/** Shows new recovery codes, which cannot be shown again. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <div className="grid gap-5">
      <p>{SECURITY.codes}</p>
      <ul className="figures grid grid-cols-2 gap-x-6 gap-y-1 rounded-sm border border-outline p-4">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Copy size="normal" text={codes.join('\n')} label={SECURITY.copy} />
        <Button onClick={onClose}>{SECURITY.done}</Button>
      </div>
    </div>
  )
}
