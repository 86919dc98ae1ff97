/** A page number, or a gap for omitted pages. */
export type PageSlot = number | 'gap-before' | 'gap-after'

const SHOWN_IN_FULL = 7
const AT_AN_END = 5

/**
 * The pages to offer: all of up to seven; otherwise the first ones, those around the current page and the
 * last one, with gaps between them.
 */
export function pageList(current: number, total: number): PageSlot[] {
  if (total <= SHOWN_IN_FULL) return range(1, total)
  if (current < AT_AN_END) return [...range(1, AT_AN_END), 'gap-after', total]
  if (current > total - AT_AN_END + 1) return [1, 'gap-before', ...range(total - AT_AN_END + 1, total)]
  return [1, 'gap-before', ...range(current - 1, current + 1), 'gap-after', total]
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, step) => first + step)
}
