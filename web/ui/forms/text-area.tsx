import { useId, type ComponentProps } from 'react'

type TextAreaProps = ComponentProps<'textarea'> & {
  label: string
  hint?: string
  error?: string | undefined
}

/** The direction of the text follows its content. */
export function TextArea({ label, hint, error, ...area }: TextAreaProps) {
  const id = useId()
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        {...area}
        id={id}
        dir="auto"
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint`}
        className={`min-h-24 w-full rounded-sm border bg-paper px-3.5 py-2.5 text-base text-ink hover:border-ink ${error ? 'border-accent-text' : 'border-outline'}`}
      />
      <p
        id={`${id}-hint`}
        className={`text-sm ${error ? 'font-semibold text-accent-text' : 'text-ink-soft'}`}
      >
        {error ?? hint}
      </p>
    </div>
  )
}
