import { useId, useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import { boxAfter, digitsOf, erase, fillBoxes, type BackspaceBehavior, type Digits } from './code-digits.ts'
import { classes } from '../classes.ts'
import { FieldError } from './field.tsx'

type CodeEntryProps = {
  legend: string
  /** @param values.position counts from 1. */
  boxLabel: (values: { position: number }) => string
  digits: Digits
  onDigits: (digits: Digits) => void
  backspace: BackspaceBehavior
  error?: string | undefined
}

/** Six boxes for a one-time code (an OTP input). `maxLength` would cut off a code that is filled in. */
export function CodeEntry({ legend, boxLabel, digits, onDigits, backspace, error }: CodeEntryProps) {
  const errorId = useId()
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  const focus = (box: number) => boxes.current[box]?.focus()
  /** In an incomplete code, only empty boxes are invalid, because the form focuses the first invalid box. */
  const isInvalid = (digit: string) => Boolean(error) && (digit === '' || !digits.includes(''))

  /** Fills boxes, beginning with `box`, and moves the focus to the box after them (auto-advance). */
  function fill(box: number, text: string) {
    const entered = digitsOf(text)
    onDigits(entered === '' ? digits.with(box, '') : fillBoxes(digits, box, entered))
    if (entered !== '') focus(boxAfter(box, entered.length))
  }

  function handleInput(box: number, text: string) {
    const previous = digits[box] ?? ''
    // A digit typed into a filled box appears beside the old digit, and replaces it.
    const isReplaced = text.length === 2 && previous !== '' && text.includes(previous)
    const value = isReplaced ? text.replace(previous, '') : text
    // A letter must not clear anything.
    if (digitsOf(value) !== '' || text === '') fill(box, value)
  }

  // If the selected digit is typed again, React calls no `onChange`, but the focus has to advance.
  function handleRetyped(box: number, text: string) {
    if (text !== '' && text === digits[box]) focus(boxAfter(box, 1))
  }

  function handlePaste(box: number, event: ClipboardEvent) {
    event.preventDefault()
    const text = event.clipboardData.getData('text')
    // A whole code is filled in from the first box, wherever it is pasted.
    if (digitsOf(text) !== '') fill(digitsOf(text).length >= digits.length ? 0 : box, text)
  }

  function handleKey(box: number, event: KeyboardEvent) {
    const target = { ArrowLeft: box - 1, ArrowRight: box + 1, Home: 0, End: digits.length - 1 }[event.key]
    const erased = event.key === 'Backspace' ? erase(digits, box, backspace) : null
    const next = erased?.focus ?? target
    if (next === undefined) return
    event.preventDefault()
    if (erased) onDigits(erased.digits)
    focus(next)
  }

  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      {/* Digits are read from left to right in all scripts. */}
      <div dir="ltr" className="grid grid-cols-6 gap-1.5 sm:gap-2.5">
        {digits.map((digit, box) => (
          <input
            key={box}
            ref={(element) => {
              boxes.current[box] = element
            }}
            value={digit}
            aria-label={boxLabel({ position: box + 1 })}
            aria-invalid={isInvalid(digit) || undefined}
            autoComplete={box === 0 ? 'one-time-code' : 'off'}
            autoFocus={box === 0}
            inputMode="numeric"
            onChange={(event) => handleInput(box, event.target.value)}
            onInput={(event) => handleRetyped(box, event.currentTarget.value)}
            onPaste={(event) => handlePaste(box, event)}
            onKeyDown={(event) => handleKey(box, event)}
            onFocus={(event) => event.target.select()}
            className={classes(BOX, error ? 'border-accent-text' : 'border-outline')}
          />
        ))}
      </div>
      <FieldError id={errorId} error={error} className="mt-1.5" />
    </fieldset>
  )
}

const BOX =
  'h-14 w-full min-w-0 rounded-sm border bg-paper text-center font-mono text-2xl text-ink ' +
  'caret-accent hover:border-ink sm:h-16'
