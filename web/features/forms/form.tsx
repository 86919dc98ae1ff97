import type { ComponentProps, SubmitEvent } from 'react'
import { WorkProgress } from '#web/features/challenge/work-progress.tsx'

/** What was typed, by field name. */
export type Typed = Readonly<Record<string, string>>

/**
 * A form that hands over what was typed. Not React's `action`: that empties the fields after every
 * attempt, also after a refused one. Below its fields it tells of the work that a call may cost.
 */
export function Form({
  onTyped,
  children,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { onTyped: (typed: Typed) => void }) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => typeof value === 'string')
    onTyped(Object.fromEntries(entries) as Typed)
  }
  return (
    <form {...form} onSubmit={submit}>
      {children}
      <WorkProgress />
    </form>
  )
}
