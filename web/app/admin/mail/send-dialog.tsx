import type { Announcement } from '#contract/dashboard/announcements.ts'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { ANNOUNCEMENTS } from '#messages/dashboard-mail.js'
import { ApiError } from '#web/features/api/api-error.ts'
import { Form } from '#web/features/forms/form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { DialogActions } from '#web/ui/forms/dialog-actions.tsx'
import { Field } from '#web/ui/forms/field.tsx'
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
  const error = sending.error instanceof ApiError ? sending.error.fields['perMinute'] : undefined
  return (
    <Dialog open={announcement !== null} title={ANNOUNCEMENTS.sendTitle} onClose={onClose}>
      {announcement && (
        <Form
          onValues={({ perMinute = '' }) =>
            sending.mutate({ id: announcement.id, perMinute: Number(perMinute) })
          }
          className="grid gap-5"
        >
          <p>{ANNOUNCEMENTS.sendLead({ count: left })}</p>
          <Field
            label={ANNOUNCEMENTS.perMinute}
            hint={ANNOUNCEMENTS.perMinuteHint}
            error={error}
            name="perMinute"
            type="number"
            min={1}
            max={1000}
            step={1}
            required
            defaultValue={announcement.perMinute}
          />
          <DialogActions
            yes={ANNOUNCEMENTS.sendNow}
            cancel={DASHBOARD_WORDS.cancel}
            pending={sending.isPending}
            onCancel={onClose}
          />
        </Form>
      )}
    </Dialog>
  )
}
