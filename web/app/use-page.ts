import { navigate, useLocation } from '#web/features/navigation/location.ts'

const MAX_PAGE = 1_000_000

/** The page number from `?page=` (1 if absent or invalid), and a function to change it. */
export function usePage() {
  const { pathname, search } = useLocation()
  const requested = Number(new URLSearchParams(search).get('page'))
  const page = Number.isSafeInteger(requested) && requested >= 1 && requested <= MAX_PAGE ? requested : 1
  return { page, goToPage: (next: number) => navigate(`${pathname}?page=${next}`) }
}
