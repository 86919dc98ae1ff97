import type { ComponentProps } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { DialogForm } from '#web/features/forms/dialog-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type FormProps = Omit<ComponentProps<typeof DialogForm>, 'cancel' | 'onCancel'> & { onClose: () => void }

/** The form in a dialog, with a Cancel button that closes the dialog. */
export const CancelableForm = ({ onClose, ...form }: FormProps) => (
  <DialogForm {...form} cancel={DASHBOARD_WORDS.cancel} onCancel={onClose} />
)

/** A dialog of the dashboard that consists of one form. */
export function FormDialog({ open, title, ...form }: FormProps & { open: boolean; title: string }) {
  return (
    <Dialog open={open} title={title} onClose={form.onClose}>
      <CancelableForm {...form} />
    </Dialog>
  )
}
