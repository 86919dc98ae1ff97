import type { ComponentProps, SubmitEvent } from 'react'

/** What was typed, by field name. */
export type Typed = Readonly<Record<string, string>>

/**
 * A form that hands over what was typed. Not React's `action`: that empties the fields after every
 * attempt, also after a refused one.
 */
export function Form({
  onTyped,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { onTyped: (typed: Typed) => void }) {
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => typeof value === 'string')
    onTyped(Object.fromEntries(entries) as Typed)
  }
  return <form {...form} onSubmit={submit} />
}
