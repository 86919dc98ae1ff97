import type { Input } from '#web/content/dashboard/settings.ts'
import { Field } from '#web/ui/forms/field.tsx'
import { TextArea } from '#web/ui/forms/text-area.tsx'

export type InputProps = {
  path: string
  label: string
  help?: string | undefined
  input: Input
  value: unknown
  onChange: (value: unknown) => void
  /** Why settings, or parts of them, were refused: sentences by path. */
  errors: Readonly<Record<string, string>>
}

export type TextProps = {
  label: string
  hint?: string
  error: string | undefined
  value: string
  onText: (text: string) => void
}

type LineProps = TextProps & { type?: string; step?: number; inputMode?: 'numeric' }

export function Line({ onText, ...field }: LineProps) {
  return <Field {...field} autoComplete="off" onChange={(event) => onText(event.target.value)} />
}

export function Area({ onText, ...area }: TextProps & { rows: number }) {
  return <TextArea {...area} onChange={(event) => onText(event.target.value)} />
}
