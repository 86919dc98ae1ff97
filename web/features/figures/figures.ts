const GROUPED = new Intl.NumberFormat('en')

/** A whole number with grouped thousands, like 20,000. */
export function formatInteger(count: number): string {
  return GROUPED.format(count)
}
