import type { ComponentProps } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Form } from './form.tsx'

type DialogFormProps = ComponentProps<typeof Form> & {
  /** The verb of the button that submits. */
  yes: string
  cancel: string
  isPending: boolean
  onCancel: () => void
}

/** A form in a dialog: its fields, then a button that submits it and one that cancels. */
export function DialogForm({ yes, cancel, isPending, onCancel, children, ...form }: DialogFormProps) {
  return (
    <Form className="grid gap-5" {...form}>
      {children}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isPending={isPending}>
          {yes}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          {cancel}
        </Button>
      </div>
    </Form>
  )
}
