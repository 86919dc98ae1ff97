import type { ChangeEvent } from 'react'
import { createUnsavedInput } from './unsaved-input.ts'

const texts = createUnsavedInput<Readonly<Record<string, string>>>({})

const keep = (about: string, text: string) => texts.keep({ ...texts.read(), [about]: text })

/**
 * Props of a field that is there again, with its text, after the end of the session.
 * @param about the field's key, which names its form and the person or claim. The key of a form's second
 * field begins with that of the first.
 * @param saved the text while nothing unsaved is kept
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

/** For a form that was sent, or whose dialog was closed: drops all fields whose keys begin with `about`. */
export function dropText(about: string): void {
  const others = Object.entries(texts.read()).filter(([key]) => !key.startsWith(about))
  texts.keep(Object.fromEntries(others))
}
