import type { ComponentProps, SubmitEvent } from 'react'
import { WorkProgress } from '#web/features/challenge/work-progress.tsx'

/** Values by field name. */
export type FormValues = Readonly<Record<string, string>>

/**
 * A form that passes its values to `onValues`. Not React's `action`, which resets the fields after every
 * attempt, even a refused one. Shows the progress of a challenge below its fields.
 */
export function Form({
  onValues,
  children,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { onValues: (values: FormValues) => void }) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => typeof value === 'string')
    onValues(Object.fromEntries(entries) as FormValues)
  }
  return (
    <form {...form} onSubmit={submit}>
      {children}
      <WorkProgress />
    </form>
  )
}
