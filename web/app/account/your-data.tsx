import { useId } from 'react'
import { toast } from 'react-hot-toast/headless'
import {
  answerRoleOffer,
  deleteOwnAccount,
  exportOwnData,
  type OwnAccount,
  ownAccount,
} from '#contract/accounts/own-account.ts'
import { YOUR_DATA } from '#messages/your-data.js'
import { call } from '#web/features/api/call.ts'
import { useChange } from '#web/features/api/use-change.ts'
import { isFirstLoad, useData } from '#web/features/api/use-data.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { DialogForm } from '#web/features/forms/dialog-form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { useProfile } from '#web/features/profile/use-profile.ts'
import { ROUTES } from '#web/routes.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogButton } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { CurrentAndNewPassword, PasswordField } from '#web/features/forms/password-field.tsx'
import { RichText, TextLink } from '#web/ui/text/rich-text.tsx'
import { saveAsJson } from '#web/ui/save-file.ts'
import { MissingSection, PendingSection, ProfileSection } from './profile-section.tsx'
import { useSessionEnd } from './use-session-end.ts'

/** The key of data about the account: whether a role is offered, and what deleting it would forfeit. */
const OWN_ACCOUNT_QUERY = ['own-account']

export function YourData() {
  const { data: user } = useProfile()
  const account = useData(ownAccount, { queryKey: OWN_ACCOUNT_QUERY })
  const { data, isLoadingError, refetch } = account
  if (isLoadingError) return <MissingSection title={YOUR_DATA.title} onRetry={() => void refetch()} />
  if (isFirstLoad(account)) return <PendingSection />
  if (!data || !user) return null
  return (
    <ProfileSection title={YOUR_DATA.title}>
      <p className="mt-6 max-w-[60ch]">
        <RichText text={YOUR_DATA.lead} tags={{ link: <TextLink href={ROUTES.privacy.path} /> }} />
      </p>
      <div className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
        <DialogButton variant="secondary" label={YOUR_DATA.download} title={YOUR_DATA.downloadTitle}>
          {(close) => <DownloadForm username={user.username} onDone={close} />}
        </DialogButton>
        {/* Administrators cannot delete their accounts until another administrator has withdrawn their role. */}
        {user.role === 'user' && (
          <DialogButton
            variant="quiet"
            label={YOUR_DATA.remove}
            title={YOUR_DATA.removeTitle}
            dialogClass="wrap-anywhere"
          >
            {(close) => <DeletionForm username={user.username} account={data} onClose={close} />}
          </DialogButton>
        )}
      </div>
    </ProfileSection>
  )
}

export function RoleOffer() {
  const headingId = useId()
  const account = useData(ownAccount, { queryKey: OWN_ACCOUNT_QUERY })
  const declining = useChange({
    send: () => call(answerRoleOffer, { body: { answer: 'decline' } }),
    affects: [OWN_ACCOUNT_QUERY],
    fallback: YOUR_DATA.offerFailed,
  })
  if (isFirstLoad(account)) return <PendingSection />
  if (!account.data?.isOfferedRole) return null
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
      // The server has ended all sessions, including this one.
      endSession()
    },
    fallback: YOUR_DATA.offerFailed,
  })
  return (
    <DialogForm
      submitLabel={YOUR_DATA.offerAccept}
      cancelLabel={YOUR_DATA.cancel}
      isPending={isPending}
      onValues={submit}
      onCancel={onClose}
    >
      <CurrentAndNewPassword words={YOUR_DATA} errors={errors} />
    </DialogForm>
  )
}

function DownloadForm({ username, onDone }: { username: string; onDone: () => void }) {
  const { submit, isPending, errors } = useFormCall({
    send: ({ password = '' }: FormValues) => call(exportOwnData, { body: { password } }),
    onSuccess: ({ data }) => {
      saveAsJson(data, username)
      onDone()
    },
    fallback: YOUR_DATA.downloadFailed,
  })
  return (
    <DialogForm
      submitLabel={YOUR_DATA.downloadNow}
      cancelLabel={YOUR_DATA.cancel}
      isPending={isPending}
      onValues={submit}
      onCancel={onDone}
    >
      <p>{YOUR_DATA.downloadLead}</p>
      <PasswordField label={YOUR_DATA.password} error={errors['password']} />
    </DialogForm>
  )
}

type DeletionFormProps = { username: string; account: OwnAccount; onClose: () => void }

function DeletionForm({ username, account, onClose }: DeletionFormProps) {
  const endSession = useSessionEnd()
  const { submit, isPending, errors } = useFormCall({
    send: ({ password = '', confirmation = '' }: FormValues) =>
      call(deleteOwnAccount, { body: { password, confirmation } }),
    onSuccess: ({ message }) => {
      toast.success(message || YOUR_DATA.removed)
      endSession()
    },
    fallback: YOUR_DATA.removeFailed,
  })
  const { hasApprovedClaim, frozenWallet } = account
  return (
    <DialogForm
      submitLabel={YOUR_DATA.removeNow}
      cancelLabel={YOUR_DATA.cancel}
      isPending={isPending}
      onValues={submit}
      onCancel={onClose}
      className="grid grid-cols-1 gap-5"
    >
      <p>{YOUR_DATA.removeLead}</p>
      {hasApprovedClaim && <p className="font-semibold">{YOUR_DATA.removePoints}</p>}
      {frozenWallet !== null && (
        <p className="font-semibold">{YOUR_DATA.removeFrozen({ wallet: frozenWallet })}</p>
      )}
      <p>{YOUR_DATA.removeName}</p>
      <PasswordField label={YOUR_DATA.password} error={errors['password']} />
      <Field
        label={YOUR_DATA.confirm({ name: username })}
        name="confirmation"
        error={errors['confirmation']}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
    </DialogForm>
  )
}
