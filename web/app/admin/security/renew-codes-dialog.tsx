import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'react-hot-toast/headless'
import { renewRecoveryCodes } from '#contract/accounts/two-factor.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { SECURITY } from '#messages/dashboard-security.js'
import { call } from '#web/features/api/call.ts'
import { Form, type FormValues } from '#web/features/forms/form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogActions } from '#web/ui/forms/dialog-actions.tsx'
import { CodeField } from './code-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Asks for a code, then shows new recovery codes. */
export function RenewCodesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const queries = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  function close() {
    setCodes(undefined)
    onClose()
    void queries.invalidateQueries()
  }
  return (
    <Dialog open={open} title={codes ? SECURITY.codesTitle : SECURITY.renewTitle} onClose={close}>
      {codes ? (
        <RecoveryCodes codes={codes} onClose={close} />
      ) : (
        <CodeForm onRenewed={setCodes} onClose={close} />
      )}
    </Dialog>
  )
}

type CodeFormProps = { onRenewed: (codes: readonly string[]) => void; onClose: () => void }

function CodeForm({ onRenewed, onClose }: CodeFormProps) {
  const { submit, busy, errors } = useFormCall({
    send: ({ otp = '' }: FormValues) => call(renewRecoveryCodes, { body: { otp } }),
    onSuccess: ({ recoveryCodes, message }) => {
      toast.success(message)
      onRenewed(recoveryCodes)
    },
    fallback: DASHBOARD_WORDS.notDone,
  })
  return (
    <Form onValues={submit} className="grid gap-5">
      <p>{SECURITY.renewLead}</p>
      <CodeField error={errors['otp']} />
      <DialogActions
        yes={SECURITY.renewNow}
        cancel={DASHBOARD_WORDS.cancel}
        pending={busy}
        onCancel={onClose}
      />
    </Form>
  )
}
