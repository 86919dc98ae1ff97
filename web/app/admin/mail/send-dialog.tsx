import type { Announcement } from '#contract/dashboard/announcements.ts'
import { ANNOUNCEMENTS } from '#messages/dashboard-mail.js'
import { fieldsOf } from '#web/features/api/api-error.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { useSend } from './use-announcements.ts'

type SendDialogProps = {
  /** Null: closed. */
  announcement: Announcement | null
  subscribers: number
  onSent: () => void
  onClose: () => void
}

/** Asks before an announcement goes out, and how fast it may. */
export function SendDialog({ announcement, subscribers, onSent, onClose }: SendDialogProps) {
  const sending = useSend(() => {
    onSent()
    onClose()
  })
  const left = announcement?.state === 'stopped' ? announcement.counts.waiting : subscribers
  return (
    <FormDialog
      open={announcement !== null}
      title={ANNOUNCEMENTS.sendTitle}
      yes={ANNOUNCEMENTS.sendNow}
      pending={sending.isPending}
      onValues={({ perMinute = '' }) =>
        announcement && sending.mutate({ id: announcement.id, perMinute: Number(perMinute) })
      }
      onClose={onClose}
    >
      <p>{ANNOUNCEMENTS.sendLead({ count: left })}</p>
      <Field
        label={ANNOUNCEMENTS.perMinute}
        hint={ANNOUNCEMENTS.perMinuteHint}
        error={fieldsOf(sending.error)['perMinute']}
        name="perMinute"
        type="number"
        min={1}
        max={1000}
        step={1}
        required
        defaultValue={announcement?.perMinute}
      />
    </FormDialog>
  )
}
