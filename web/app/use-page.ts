import { useLocation, useNavigate } from 'react-router'

const LAST = 1_000_000

/* Reads `location.search` here and elsewhere: `useSearchParams` adds 5 kB to every screen. */

/** The page number from `?page=` (1 if absent or invalid), and a function to change it. */
export function usePage() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const asked = Number(new URLSearchParams(search).get('page'))
  const page = Number.isSafeInteger(asked) && asked >= 1 && asked <= LAST ? asked : 1
  return { page, turnTo: (next: number) => void navigate(`${pathname}?page=${next}`) }
}
