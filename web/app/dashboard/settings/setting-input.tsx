import { useState } from 'react'
import { Checkbox } from '#web/ui/forms/checkbox.tsx'
import { Select } from '#web/ui/forms/select.tsx'
import { errorWithin } from '../api/error-within.ts'
import { ItemsInput } from './items-input.tsx'
import { Area, type InputProps, Line, type TextProps } from './text-inputs.tsx'
import { fromLocal, joinLines, splitLines, textOf, toLocal, toNumber } from './values.ts'

/** Edits a setting. A value of the wrong type is passed on as it is: the server says what is wrong. */
export function SettingInput(props: InputProps) {
  const { path, label, help, input, value, onChange } = props
  const error = errorWithin(props.errors, path)
  if (typeof input === 'object')
    return 'items' in input ? (
      <ItemsInput {...props} input={input} />
    ) : (
      <Select label={label} value={textOf(value)} choices={input.choices} onChoice={onChange} error={error} />
    )
  const base = { label, error, ...(help !== undefined && { hint: help }) }
  switch (input) {
    case 'flag':
      return (
        <Checkbox
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
          className="font-semibold"
        >
          {label}
        </Checkbox>
      )
    case 'long':
      return <Area {...base} rows={4} value={textOf(value)} onText={onChange} />
    case 'lines':
      return (
        <Area {...base} rows={5} value={joinLines(value)} onText={(typed) => onChange(splitLines(typed))} />
      )
    case 'json':
      return <JsonInput {...base} value={value} onChange={onChange} />
    case 'number':
      return (
        <Line
          {...base}
          inputMode="numeric"
          value={textOf(value)}
          onText={(typed) => onChange(toNumber(typed))}
        />
      )
    case 'moment':
    case 'moment-or-none':
      return (
        <Line
          {...base}
          type="datetime-local"
          step={60}
          value={toLocal(value)}
          // A required moment that was emptied is an empty text, which the server refuses.
          onText={(typed) => onChange(fromLocal(typed) ?? (input === 'moment' ? '' : null))}
        />
      )
    case 'text':
      return <Line {...base} value={textOf(value)} onText={onChange} />
  }
}

type JsonInputProps = Omit<TextProps, 'value' | 'onText'> & Pick<InputProps, 'value' | 'onChange'>

/** Edits JSON. Any other text is passed on as it is. What was typed is not reformatted under the cursor. */
function JsonInput({ value, onChange, ...area }: JsonInputProps) {
  const [typed, setTyped] = useState<{ json: string; text: string }>()
  const json = JSON.stringify(value)
  const formatted =
    typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : textOf(value)
  const shown = typed?.json === json ? typed.text : formatted
  const edit = (text: string) => {
    const parsed = parse(text)
    setTyped({ json: JSON.stringify(parsed), text })
    onChange(parsed)
  }
  return <Area {...area} rows={8} value={shown} onText={edit} />
}

function parse(text: string): unknown {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
