import { SETTINGS } from '#messages/dashboard-settings.js'
import { type Column } from '#web/content/dashboard/settings.ts'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/forms/select.tsx'
import { errorWithin } from '../api/error-within.ts'
import { Area, type InputProps, Line } from './text-inputs.tsx'
import { joinLines, splitLines, textOf, toNumber } from './values.ts'
import { CompactButton } from '../ui/compact-button.tsx'

type Item = Readonly<Record<string, unknown>>
type ItemsProps = Omit<InputProps, 'input'> & { input: { items: readonly Column[]; add: string } }

export function ItemsInput({ path, label, input, value, onChange, errors }: ItemsProps) {
  const items = Array.isArray(value) ? (value as Item[]) : []
  const error = errors[path]
  const replace = (index: number, item: Item) => onChange(items.with(index, item))
  const moveUp = (index: number) => {
    const item = items[index]
    if (item) onChange(items.toSpliced(index, 1).toSpliced(index - 1, 0, item))
  }
  return (
    <fieldset className="grid grid-cols-1 gap-4">
      <legend className="mb-2 font-semibold">{label}</legend>
      {error && <p className="text-sm font-semibold text-accent-text">{error}</p>}
      {items.length === 0 && <p className="text-ink-soft">{SETTINGS.empty}</p>}
      {items.map((item, index) => (
        // Items have no ids.
        <fieldset key={index} className="grid grid-cols-1 gap-3 border-s-2 border-outline ps-4">
          <legend className="sr-only">{SETTINGS.item({ number: index + 1 })}</legend>
          <div className="flex items-center justify-between gap-3">
            <span aria-hidden="true" className="figures text-sm text-ink-soft">
              {SETTINGS.item({ number: index + 1 })}
            </span>
            <span className="flex gap-2">
              {index > 0 && (
                <CompactButton aria-label={SETTINGS.up({ number: index + 1 })} onClick={() => moveUp(index)}>
                  ↑
                </CompactButton>
              )}
              <CompactButton
                aria-label={SETTINGS.remove({ number: index + 1 })}
                onClick={() => onChange(items.toSpliced(index, 1))}
              >
                ×
              </CompactButton>
            </span>
          </div>
          {input.items.map((column) => (
            <Member
              key={column.key}
              path={`${path}.${index}.${column.key}`}
              column={column}
              value={item[column.key]}
              onChange={(member) => replace(index, withMember(item, column, member))}
              errors={errors}
            />
          ))}
        </fieldset>
      ))}
      <Button
        variant="secondary"
        className="justify-self-start"
        onClick={() => onChange([...items, emptyItem(input.items)])}
      >
        {input.add}
      </Button>
    </fieldset>
  )
}

function withMember(item: Item, { key, optional }: Column, value: unknown): Item {
  const { [key]: _before, ...others } = item
  return optional && (value === '' || value === undefined) ? others : { ...item, [key]: value }
}

const emptyItem = (columns: readonly Column[]): Item =>
  Object.fromEntries(
    columns.filter(({ optional }) => !optional).map(({ key, input }) => [key, emptyOf(input)]),
  )

/** A member of a new item: empty, or the last choice. A new phase of the roadmap is therefore upcoming. */
function emptyOf(input: Column['input']): unknown {
  if (input === 'lines') return []
  return typeof input === 'object' ? Object.keys(input.choices).at(-1) : ''
}

type MemberProps = Pick<InputProps, 'path' | 'value' | 'onChange' | 'errors'> & { column: Column }

function Member({ path, column: { label, input }, value, onChange, errors }: MemberProps) {
  const error = errorWithin(errors, path)
  if (typeof input === 'object')
    return (
      <Select label={label} value={textOf(value)} choices={input.choices} onChoice={onChange} error={error} />
    )
  if (input === 'points') return <Points {...{ path, label, value, onChange, errors }} />
  if (input === 'words') {
    const words = Array.isArray(value) ? value.join(' ') : ''
    const parse = (text: string) => (text === '' ? undefined : text.split(' '))
    return <Line label={label} value={words} error={error} onText={(text) => onChange(parse(text))} />
  }
  if (input === 'lines') {
    const set = (text: string) => onChange(splitLines(text))
    return <Area label={label} rows={3} value={joinLines(value)} error={error} onText={set} />
  }
  const textProps = { label, value: textOf(value), error, onText: onChange }
  return input === 'long' ? <Area {...textProps} rows={3} /> : <Line {...textProps} />
}

/** Edits a task's own points: `undefined` if both fields are empty. The first field shows errors of both. */
function Points({ path, label, value, onChange, errors }: Omit<MemberProps, 'column'> & { label: string }) {
  const points = (value ?? {}) as { pf?: unknown; pls?: unknown }
  const set = (changed: { pf?: unknown; pls?: unknown }) => {
    const { pf = '', pls = '' } = { ...points, ...changed }
    onChange(pf === '' && pls === '' ? undefined : { pf, pls })
  }
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      <div className="grid grid-cols-2 gap-3">
        <Line
          label={SETTINGS.tokenPoints}
          value={textOf(points.pf)}
          error={errors[path] ?? errors[`${path}.pf`]}
          onText={(text) => set({ pf: toNumber(text) })}
        />
        <Line
          label={SETTINGS.coinPoints}
          value={textOf(points.pls)}
          error={errors[`${path}.pls`]}
          onText={(text) => set({ pls: toNumber(text) })}
        />
      </div>
    </fieldset>
  )
}
