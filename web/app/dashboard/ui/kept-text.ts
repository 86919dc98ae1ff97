import type { ChangeEvent } from 'react'
import { createUnsavedInput } from './unsaved-input.ts'

const texts = createUnsavedInput<Readonly<Record<string, string>>>({})

const keep = (key: string, text: string) => texts.keep({ ...texts.read(), [key]: text })

/**
 * Props of a field whose unsaved text survives the end of the session.
 * @param key names the form, the person or claim, and maybe the field. {@link dropText} drops all fields whose
 * keys begin with one, so a form's second field has the key of the first with something added.
 * @param saved the text while nothing unsaved is kept
 */
export const keptText = (key: string, saved?: string) => ({
  defaultValue: texts.read()[key] ?? saved,
  onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => keep(key, target.value),
})

/** Like {@link keptText}, for a `Select`. */
export const keptChoice = (key: string) => ({
  defaultValue: texts.read()[key],
  onChoice: (value: string) => keep(key, value),
})

/** For a form that was sent, or whose dialog was closed: drops all fields whose keys begin with `start`. */
export function dropText(start: string): void {
  const others = Object.entries(texts.read()).filter(([key]) => !key.startsWith(start))
  texts.keep(Object.fromEntries(others))
}
