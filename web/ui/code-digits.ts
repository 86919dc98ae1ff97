/** How many boxes a code has. */
export const BOXES = 6

/** One digit, or an empty text, for each box. */
export type Digits = readonly string[]

export type Erased = { digits: Digits; focus: number }

/**
 * What Backspace does.
 * `step-back`: an empty box clears the previous one and focuses it; a filled box is left to the browser.
 * `clear-here`: a filled box is cleared and keeps the focus, an empty one clears the previous one and focuses it.
 */
export type BackspaceBehaviour = 'step-back' | 'clear-here'

export const EMPTY: Digits = Array.from({ length: BOXES }, () => '')

/** The digits of anything typed, pasted or filled in. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

/** Puts several digits into the boxes from `start` on; what does not fit is dropped. */
export function spread(digits: Digits, start: number, typed: string): Digits {
  return digits.map((digit, box) => typed[box - start] ?? digit)
}

/** The box that follows `count` digits typed into `start`. */
export function boxAfter(start: number, count: number): number {
  return Math.min(start + count, BOXES - 1)
}

/** What is left, and where the focus goes, after Backspace in `box`; null: the browser handles it. */
export function erase(digits: Digits, box: number, behaviour: BackspaceBehaviour): Erased | null {
  if (digits[box] !== '')
    return behaviour === 'clear-here' ? { digits: without(digits, box), focus: box } : null
  const previous = Math.max(box - 1, 0)
  return { digits: without(digits, previous), focus: previous }
}

function without(digits: Digits, box: number): Digits {
  return digits.with(box, '')
}
