import type { ComponentProps } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { DialogForm } from '#web/features/forms/dialog-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type AskFormProps = Omit<ComponentProps<typeof DialogForm>, 'cancel' | 'onCancel'> & { onClose: () => void }

/** The form in a dialog, with the button to cancel it. */
export const AskForm = ({ onClose, ...form }: AskFormProps) => (
  <DialogForm {...form} cancel={DASHBOARD_WORDS.cancel} onCancel={onClose} />
)

/** A dialog of the dashboard that is one form. */
export function FormDialog({ open, title, ...form }: AskFormProps & { open: boolean; title: string }) {
  return (
    <Dialog open={open} title={title} onClose={form.onClose}>
      <AskForm {...form} />
    </Dialog>
  )
}
