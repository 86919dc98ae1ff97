import { useQueryClient } from '@tanstack/react-query'
import { encodeQR } from 'qr'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { beginTwoFactor, confirmTwoFactor } from '#contract/accounts/two-factor.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { SECURITY } from '#messages/dashboard-security.js'
import { call } from '#web/features/api/call.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { AskForm } from '../form-dialog.tsx'
import { RecoveryCodes } from './two-factor-dialogs.tsx'

type DialogProps = { open: boolean; onClose: () => void }
type TwoFactorSecret = { secret: string; uri: string }

/** Sets up two-factor login in three steps: the password, a code of the new secret, the recovery codes. */
export function SetUpDialog({ open, onClose }: DialogProps) {
  const queries = useQueryClient()
  const [begun, setBegun] = useState<TwoFactorSecret>()
  const [codes, setCodes] = useState<readonly string[]>()
  function close() {
    setBegun(undefined)
    setCodes(undefined)
    onClose()
    // Not earlier: with two-factor login on, the screen has another dialog in place of this one.
    if (codes) void queries.invalidateQueries()
  }
  return (
    // Also if it was closed while the code was being confirmed: the codes cannot be shown again.
    <Dialog
      open={open || codes !== undefined}
      title={codes ? SECURITY.codesTitle : SECURITY.twoFactor}
      onClose={close}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={close} />
      ) : begun ? (
        <Confirm begun={begun} onConfirmed={setCodes} onClose={close} />
      ) : (
        <Begin onBegun={setBegun} onClose={close} />
      )}
    </Dialog>
  )
}

function Begin({ onBegun, onClose }: { onBegun: (begun: TwoFactorSecret) => void; onClose: () => void }) {
  const { submit, isPending, errors } = useFormCall({
    send: ({ password = '' }: FormValues) => call(beginTwoFactor, { body: { password } }),
    onSuccess: ({ data }) => onBegun(data),
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <AskForm yes={SECURITY.next} isPending={isPending} onValues={submit} onClose={onClose}>
      <PasswordField label={SECURITY.password} error={errors['password']} />
    </AskForm>
  )
}

type ConfirmProps = {
  begun: TwoFactorSecret
  onConfirmed: (codes: readonly string[]) => void
  onClose: () => void
}

function Confirm({ begun: { secret, uri }, onConfirmed, onClose }: ConfirmProps) {
  const { submit, isPending, errors } = useFormCall({
    send: ({ otp = '' }: FormValues) => call(confirmTwoFactor, { body: { otp: otp.replace(/\s/g, '') } }),
    onSuccess: ({ recoveryCodes, message }) => {
      toast.success(message)
      onConfirmed(recoveryCodes)
    },
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <AskForm yes={SECURITY.confirm} isPending={isPending} onValues={submit} onClose={onClose}>
      <p>{SECURITY.scan}</p>
      <QrCode text={uri} />
      <div className="grid gap-1">
        <p className="label">{SECURITY.secret}</p>
        <code className="figures text-sm break-all">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </div>
      <Field
        label={SECURITY.code}
        error={errors['otp']}
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        required
      />
    </AskForm>
  )
}

/** Quiet modules around a QR code, by its standard. */
const BORDER = 4

function QrCode({ text }: { text: string }) {
  const rows = encodeQR(text, 'raw', { border: BORDER })
  const modules = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      role="img"
      aria-label={SECURITY.qr}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="w-56 justify-self-center bg-qr-light fill-qr-dark"
    >
      <path d={modules.join('')} />
    </svg>
  )
}
