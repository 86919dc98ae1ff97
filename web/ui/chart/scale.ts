/**
 * Round values for an axis that begins at 0: at most `maxSteps` steps of 1, 2 or 5 times a power of ten, the
 * last one not below the largest value. Whole numbers only.
 */
export function ticksUpTo(largest: number, maxSteps = 3): number[] {
  const minStep = Math.max(1, largest) / maxSteps
  const power = 10 ** Math.floor(Math.log10(Math.max(1, minStep)))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= minStep) ?? power * 10
  return Array.from({ length: Math.ceil(Math.max(1, largest) / step) + 1 }, (_, index) => index * step)
}

/** At most `max` positions out of `count`, evenly apart, the first and usually the last among them. */
export function spreadIndexes(count: number, max: number): number[] {
  if (count === 0) return []
  const step = Math.max(1, Math.ceil((count - 1) / Math.max(1, max - 1)))
  return Array.from({ length: Math.floor((count - 1) / step) + 1 }, (_, index) => index * step)
}
