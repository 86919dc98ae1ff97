const GROUPED = new Intl.NumberFormat('en')

/** A whole number with its thousands grouped, as 20,000. */
export function grouped(count: number): string {
  return GROUPED.format(count)
}
