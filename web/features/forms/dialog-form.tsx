import type { ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from './form.tsx'

type DialogFormProps = ComponentProps<typeof Form> & {
  submitLabel: string
  cancelLabel: string
  isPending: boolean
  onCancel: () => void
}

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
