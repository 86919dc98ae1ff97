import type { ChangeEvent } from 'react'
import { createUnsavedInput } from './unsaved-input.ts'

const texts = createUnsavedInput<Readonly<Record<string, string>>>({})

const keep = (about: string, text: string) => texts.keep({ ...texts.read(), [about]: text })

/**
 * Props of a field that is there again, with its text, after the end of the session.
 * @param about tells the field from others, and its person or claim from others. For a second field of the
 * form, it begins with that of the first.
 */
export const keptText = (about: string, saved?: string) => ({
  defaultValue: texts.read()[about] ?? saved,
  onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => keep(about, target.value),
})

/** Like {@link keptText}, for a `Select`. */
export const keptChoice = (about: string) => ({
  defaultValue: texts.read()[about],
  onChoice: (value: string) => keep(about, value),
})

/** Once a form has been sent, or its dialog closed. Drops every field whose `about` begins with this one. */
export function dropText(about: string): void {
  const others = Object.entries(texts.read()).filter(([key]) => !key.startsWith(about))
  texts.keep(Object.fromEntries(others))
}
