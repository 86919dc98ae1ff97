import { useId } from 'react'

type SelectProps = {
  label: string
  value: string
  choices: Readonly<Record<string, string>>
  onChange: (value: string) => void
  error?: string | undefined
}

/** A choice with its label. */
export function Select({ label, value, choices, onChange, error }: SelectProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className="min-h-12 w-full rounded-sm border border-outline bg-paper px-3 text-base hover:border-ink"
      >
        {Object.entries(choices).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-signal-text">
          {error}
        </p>
      )}
    </div>
  )
}
