const BOXES = 6

/** For each box, a digit or an empty string. */
export type Digits = readonly string[]

/**
 * What Backspace does. `step-back`: in an empty box, it clears and focuses the previous box; the browser
 * handles a filled box. `clear-here`: it clears a filled box, which keeps the focus; an empty box works as in
 * `step-back`.
 */
export type BackspaceBehavior = 'step-back' | 'clear-here'

export const EMPTY: Digits = Array.from({ length: BOXES }, () => '')

/** The digits of a text as 0 to 9. Arabic, Persian and full-width zeros are multiples of 16 in Unicode. */
export function digitsOf(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/\D/g, '')
}

/** Puts digits into the boxes, beginning with `start`. Drops those that do not fit. */
export function fillBoxes(digits: Digits, start: number, typed: string): Digits {
  return digits.map((digit, box) => typed[box - start] ?? digit)
}

/** The box to focus after `count` digits were typed, beginning in box `start`. */
export function boxAfter(start: number, count: number): number {
  return Math.min(start + count, BOXES - 1)
}

/** The digits and the focus after Backspace in `box`; null if the browser handles it. */
export function erase(digits: Digits, box: number, behavior: BackspaceBehavior) {
  if (digits[box] !== '')
    return behavior === 'clear-here' ? { digits: digits.with(box, ''), focus: box } : null
  const previous = Math.max(box - 1, 0)
  return { digits: digits.with(previous, ''), focus: previous }
}
