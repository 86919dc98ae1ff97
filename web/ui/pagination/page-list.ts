/** A page's number, or a gap, shown as an ellipsis. */
type PageItem = number | 'gap-before' | 'gap-after'

const MAX_WITHOUT_GAPS = 7
const EDGE_PAGES = 5

/**
 * The pages to offer: all if there are at most seven. Otherwise the first, the last, and the current page
 * with its neighbors; near an end, the five pages at that end.
 */
export function pageList(current: number, total: number): PageItem[] {
  if (total <= MAX_WITHOUT_GAPS) return range(1, total)
  if (current < EDGE_PAGES) return [...range(1, EDGE_PAGES), 'gap-after', total]
  if (current > total - EDGE_PAGES + 1) return [1, 'gap-before', ...range(total - EDGE_PAGES + 1, total)]
  return [1, 'gap-before', ...range(current - 1, current + 1), 'gap-after', total]
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, step) => first + step)
}
