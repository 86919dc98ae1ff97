import type { ChangeEvent } from 'react'
import { createUnsavedInput } from './unsaved-input.ts'

const texts = createUnsavedInput<Readonly<Record<string, string>>>({})

const keep = (about: string, text: string) => texts.keep({ ...texts.read(), [about]: text })

/**
 * Props of a field whose unsaved text survives the end of the session.
 * @param about the field's key, which names its form and the person or claim. If a form has two fields, the
 * key of one begins with the key of the other, so that {@link dropText} drops both.
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
