/** Number of digits in a code. */
const BOXES = 6

/** One digit, or an empty string, for each box. */
export type Digits = readonly string[]

/**
 * Behavior of Backspace.
 * `step-back`: an empty box clears the previous one and focuses it; the browser handles a filled box.
 * `clear-here`: a filled box is cleared and keeps the focus; an empty one behaves as above.
 */
export type BackspaceBehavior = 'step-back' | 'clear-here'

export const EMPTY: Digits = Array.from({ length: BOXES }, () => '')

/** The digits of a text, Arabic and Persian ones as 0 to 9: their zeros are multiples of 16 in Unicode. */
export function digitsOf(text: string): string {
  return text
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/\D/g, '')
}

/** Puts digits into the boxes from `start` on; drops those that do not fit. */
export function fillBoxes(digits: Digits, start: number, typed: string): Digits {
  return digits.map((digit, box) => typed[box - start] ?? digit)
}

/** Index of the box to focus after `count` digits typed from `start` on. */
export function boxAfter(start: number, count: number): number {
  return Math.min(start + count, BOXES - 1)
}

/** Digits and focus after Backspace in `box`; null if the browser handles it. */
export function erase(digits: Digits, box: number, behavior: BackspaceBehavior) {
  if (digits[box] !== '')
    return behavior === 'clear-here' ? { digits: digits.with(box, ''), focus: box } : null
  const previous = Math.max(box - 1, 0)
  return { digits: digits.with(previous, ''), focus: previous }
}
