import { useQuery } from '@tanstack/react-query'
import { toast } from 'react-hot-toast/headless'
import {
  deleteOwnAccount,
  exportOwnData,
  type OwnAccount,
  ownAccount,
} from '#contract/accounts/own-account.ts'
import { YOUR_DATA } from '#messages/your-data.js'
import { call } from '#web/features/api/call.ts'
import type { FormValues } from '#web/features/forms/form.tsx'
import { DialogForm } from '#web/features/forms/dialog-form.tsx'
import { useFormCall } from '#web/features/forms/use-form-call.ts'
import { useProfile } from '#web/features/profile/use-profile.ts'
import { ROUTES } from '#web/routes.ts'
import { DialogButton } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/forms/field.tsx'
import { PasswordField } from '#web/features/forms/password-field.tsx'
import { RichText, TextLink } from '#web/ui/rich-text.tsx'
import { saveAsJson } from '#web/ui/save-file.ts'
import { MissingSection, ProfileSection } from './profile-section.tsx'
import { OWN_ACCOUNT_QUERY, RoleOffer } from './role-offer.tsx'
import { useSessionEnd } from './use-session-end.ts'

/** The account's data: a copy, its deletion, and an offer to become an administrator. */
export function YourData() {
  const { data: user } = useProfile()
  const { data, isLoadingError, refetch } = useQuery({
    queryKey: OWN_ACCOUNT_QUERY,
    queryFn: async () => (await call(ownAccount, {})).data,
  })
  if (isLoadingError) return <MissingSection title={YOUR_DATA.title} onRetry={() => void refetch()} />
  if (!data || !user) return null
  return (
    <>
      {data.isOfferedRole && <RoleOffer />}
      <ProfileSection title={YOUR_DATA.title}>
        <p className="mt-6 max-w-[60ch]">
          <RichText text={YOUR_DATA.lead} tags={{ link: <TextLink href={ROUTES.privacy.path} /> }} />
        </p>
        <div className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
          <DialogButton variant="secondary" label={YOUR_DATA.download} title={YOUR_DATA.downloadTitle}>
            {(close) => <DownloadForm username={user.username} onDone={close} />}
          </DialogButton>
          {/* Administrators cannot delete their account until another one has withdrawn their role. */}
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
    </>
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
      yes={YOUR_DATA.downloadNow}
      cancel={YOUR_DATA.cancel}
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
      yes={YOUR_DATA.removeNow}
      cancel={YOUR_DATA.cancel}
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
