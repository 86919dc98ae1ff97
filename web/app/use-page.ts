import { useLayoutEffect } from 'react'
import type { Pagination } from '#contract/entities.ts'
import { MAX_PAGE } from '#contract/protocol/parameters.ts'
import { navigate, useLocation, useParam } from '#web/features/navigation/location.ts'

/** The page from `?page=`. Going to the current page, as on a double click, adds no entry to the history. */
export function usePage() {
  const { pathname } = useLocation()
  const requested = Number(useParam('page'))
  const page = Number.isSafeInteger(requested) && requested >= 1 && requested <= MAX_PAGE ? requested : 1
  const goToPage = (next: number) => navigate(`${pathname}?page=${next}`, { replace: next === page })
  return { page, goToPage }
}

/** Goes from a page beyond the last to the last, before the browser paints, so that no empty list appears. */
export function useRedirectToLastPage({ currentPage = 1, totalPages = 1 }: Partial<Pagination> = {}): void {
  const { pathname } = useLocation()
  const lastPage = Math.max(totalPages, 1)
  const isBeyond = currentPage > lastPage
  useLayoutEffect(() => {
    if (isBeyond) navigate(`${pathname}?page=${lastPage}`, { replace: true })
  }, [isBeyond, lastPage, pathname])
}
