import { useId, type ReactNode } from 'react'
import { MAX_SEARCH_LENGTH, MIN_SEARCH_LENGTH } from '#contract/protocol/parameters.ts'
import { Form } from '#web/features/forms/form.tsx'
import { classes } from '#web/ui/classes.ts'
import { CompactButton } from './compact-button.tsx'

export const TOOLBAR_CONTROL =
  'min-h-11 max-w-full rounded-sm border border-outline bg-paper px-2.5 hover:border-ink lg:min-h-8'

type SearchFormProps = {
  label: string
  button: string
  /** The current search. Use it as the form's key too, so that the input follows it. */
  value: string
  /** Gets the trimmed text. */
  onSearch: (text: string) => void
  minLength?: number
  className?: string
}

export function SearchForm({ label, button, value, onSearch, minLength, className }: SearchFormProps) {
  const id = useId()
  return (
    <Form
      role="search"
      onValues={({ search = '' }) => onSearch(search.trim())}
      className={classes('grid grow grid-cols-1 gap-1', className)}
    >
      <label htmlFor={id} className="label">
        {label}
      </label>
      <span className="flex gap-2">
        <input
          id={id}
          type="search"
          name="search"
          defaultValue={value}
          minLength={minLength}
          maxLength={MAX_SEARCH_LENGTH}
          autoComplete="off"
          className={`min-w-0 grow ${TOOLBAR_CONTROL}`}
        />
        <CompactButton type="submit">{button}</CompactButton>
      </span>
    </Form>
  )
}

/** The trimmed text; empty if the server would refuse it as too short. */
export const toSearchParam = (text: string): string =>
  text.trim().length < MIN_SEARCH_LENGTH ? '' : text.trim()

/** The values' names, in display order. Numeric values need a map: a record would sort them. */
type Options<T extends string | number> = Readonly<Record<T, string>> | ReadonlyMap<T, string>

const entriesOf = <T extends string | number>(options: Options<T>) =>
  (options instanceof Map ? [...options] : Object.entries(options)) as [T, string][]

type ChoiceProps<T extends string> = {
  label: string
  value: T
  options: Options<T>
  onChoice: (value: T) => void
  isInline?: boolean
}

export function Choice<T extends string>({ label, value, options, onChoice, isInline }: ChoiceProps<T>) {
  const id = useId()
  return (
    <span
      className={classes(
        'min-w-0 text-sm',
        isInline ? 'flex flex-wrap items-center gap-2' : 'grid grid-cols-1 gap-1',
      )}
    >
      <label htmlFor={id} className="label">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChoice(target.value as T)}
        className={TOOLBAR_CONTROL}
      >
        {entriesOf(options).map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}

type TogglesProps<T extends string | number> = {
  label: string
  options: Options<T>
  /** The selected option; undefined if none is. */
  value: T | undefined
  onToggle: (option: T) => void
  children?: (option: T) => ReactNode
}

export function Toggles<T extends string | number>(props: TogglesProps<T>) {
  const { label, options, value, onToggle, children } = props
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-1 text-sm">
      {entriesOf(options).map(([option, name]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onToggle(option)}
          className={classes(
            'inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-sm px-3 font-semibold lg:min-h-8',
            option === value ? 'bg-ink text-paper' : 'hover:bg-ink/5',
          )}
        >
          {name}
          {children?.(option)}
        </button>
      ))}
    </div>
  )
}
