import type { ComponentProps, SubmitEvent } from 'react'
import { WorkProgress } from '#web/features/challenge/work-progress.tsx'

/** Values by field name. */
export type FormValues = Readonly<Record<string, string>>

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & {
  onValues: (values: FormValues) => void
  /** Of `useWork`, if a call of the form may be answered with a challenge; shown below the fields. */
  progress?: number | undefined
}

/**
 * A form that passes its values to `onValues`. Not React's `action`, which resets the fields after every
 * attempt, even a refused one.
 */
export function Form({ onValues, progress, children, ...form }: FormProps) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => typeof value === 'string')
    onValues(Object.fromEntries(entries) as FormValues)
  }
  return (
    <form {...form} onSubmit={submit}>
      {children}
      <WorkProgress progress={progress} />
    </form>
  )
}
