import { type ComponentProps, useId } from 'react'
import { FieldError } from './field.tsx'

type SelectProps = ComponentProps<'select'> & {
  label: string
  /** The name of each value, in display order. */
  choices: Readonly<Record<string, string>>
  onChoice?: (value: string) => void
  error?: string | undefined
}

export function Select({ label, choices, onChoice, error, ...select }: SelectProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChoice?.(event.target.value)}
        className="min-h-12 w-full rounded-sm border border-outline bg-paper px-3 text-base hover:border-ink"
      >
        {Object.entries(choices).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}
