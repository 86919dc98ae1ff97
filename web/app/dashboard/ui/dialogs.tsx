import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react'
import { DASHBOARD_WORDS } from '#messages/dashboard-frame.js'
import { DialogForm } from '#web/features/forms/dialog-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

type FormProps = Omit<ComponentProps<typeof DialogForm>, 'cancelLabel' | 'onCancel'> & { onClose: () => void }

export const CancelableForm = ({ onClose, ...form }: FormProps) => (
  <DialogForm {...form} cancelLabel={DASHBOARD_WORDS.cancel} onCancel={onClose} />
)

export function FormDialog({ open, title, ...form }: FormProps & { open: boolean; title: string }) {
  return (
    <Dialog open={open} title={title} onClose={form.onClose}>
      <CancelableForm {...form} />
    </Dialog>
  )
}

export type SecretProps<Secret> = { secret: Secret; onClose: () => void }

type SecretButtonProps<Secret> = Pick<ComponentProps<typeof Button>, 'variant' | 'className'> & {
  label: string
  title: string
  secretTitle: string
  SecretView: ComponentType<SecretProps<Secret>>
  onClose?: () => void
  /** The form, which passes the secret to `showSecret`. */
  children: (showSecret: (secret: Secret) => void, close: () => void) => ReactNode
}

/** A button and its dialog: first a form, then the secret in the form's reply. */
export function SecretButton<Secret>(props: SecretButtonProps<Secret>) {
  const { label, title, secretTitle, SecretView, onClose, children, ...button } = props
  const [isOpen, setOpen] = useState(false)
  const [secret, setSecret] = useState<Secret>()
  function close() {
    setOpen(false)
    setSecret(undefined)
    onClose?.()
  }
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {/* A secret that arrives after closing opens the dialog again, because the server sends it only once. */}
      <Dialog
        open={isOpen || secret !== undefined}
        title={secret === undefined ? title : secretTitle}
        onClose={close}
      >
        {secret === undefined ? children(setSecret, close) : <SecretView secret={secret} onClose={close} />}
      </Dialog>
    </>
  )
}
