import type { ChangeEvent } from 'react'
import { createUnsavedInput } from './unsaved-input.ts'

const texts = createUnsavedInput<Readonly<Record<string, string>>>({})

/**
 * Props of a text field that is there again, with its text, after the end of the session.
 * @param about tells the field from others, and its person or claim from others
 */
export const keptText = (about: string, saved?: string) => ({
  defaultValue: texts.read()[about] ?? saved,
  onChange: ({ target }: ChangeEvent<HTMLTextAreaElement>) =>
    texts.keep({ ...texts.read(), [about]: target.value }),
})

/** Once the text has been sent, or its dialog closed. */
export function dropText(about: string): void {
  const { [about]: _dropped, ...others } = texts.read()
  texts.keep(others)
}
