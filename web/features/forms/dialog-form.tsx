import type { ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from './form.tsx'

type DialogFormProps = ComponentProps<typeof Form> & {
  submitLabel: string
  cancelLabel: string
  isPending: boolean
  onCancel: () => void
}

/** A form in a dialog: its fields, then a button that submits it and one that cancels. */
export function DialogForm({
  submitLabel,
  cancelLabel,
  isPending,
  onCancel,
  children,
  ...form
}: DialogFormProps) {
  return (
    <Form className="grid gap-5" {...form}>
      {children}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending}>
          {submitLabel}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {cancelLabel}
        </Button>
      </div>
    </Form>
  )
}
