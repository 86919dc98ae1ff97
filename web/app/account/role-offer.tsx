import { useId } from 'react'
import { toast } from 'react-hot-toast/headless'
import { answerRoleOffer } from '#contract/accounts/own-account.ts'
import { YOUR_DATA } from '#messages/your-data.js'
import { call } from '#web/features/api/call.ts'
import { useChange } from '#web/features/api/use-change.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { DialogForm } from '#web/features/forms/dialog-form.tsx'
import { CurrentAndNewPassword } from '#web/features/forms/password-field.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogButton } from '#web/ui/dialog.tsx'
import { useSessionEnd } from './use-session-end.ts'

/** Key of the query for what concerns the account itself, such as a role offer or what deletion forfeits. */
export const OWN_ACCOUNT_QUERY = ['own-account']

/** The offer to become an administrator, to accept or decline. */
export function RoleOffer() {
  const headingId = useId()
  const declining = useChange({
    send: () => call(answerRoleOffer, { body: { answer: 'decline' } }),
    affects: [OWN_ACCOUNT_QUERY],
    fallback: YOUR_DATA.offerFailed,
  })
  return (
    <section aria-labelledby={headingId} className="mt-12 border-s-[3px] border-accent ps-5">
      <h2 id={headingId} className="text-2xl">
        {YOUR_DATA.offerTitle}
      </h2>
      <p className="mt-3 max-w-[60ch]">{YOUR_DATA.offerLead}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <DialogButton label={YOUR_DATA.offerAccept} title={YOUR_DATA.offerTitle}>
          {(close) => <AcceptForm onClose={close} />}
        </DialogButton>
        <Button variant="secondary" isPending={declining.isPending} onClick={() => declining.mutate()}>
          {YOUR_DATA.offerDecline}
        </Button>
      </div>
    </section>
  )
}

function AcceptForm({ onClose }: { onClose: () => void }) {
  const endSession = useSessionEnd()
  const { submit, isPending, errors } = useFormCall({
    send: ({ currentPassword = '', newPassword = '' }: FormValues) =>
      call(answerRoleOffer, { body: { answer: 'accept', currentPassword, newPassword } }),
    onSuccess: ({ message }) => {
      toast.success(message)
      // The server has ended every session, this one too.
      endSession()
    },
    fallback: YOUR_DATA.offerFailed,
  })
  return (
    <DialogForm
      yes={YOUR_DATA.offerAccept}
      cancel={YOUR_DATA.cancel}
      isPending={isPending}
      onValues={submit}
      onCancel={onClose}
    >
      <CurrentAndNewPassword words={YOUR_DATA} errors={errors} />
    </DialogForm>
  )
}
