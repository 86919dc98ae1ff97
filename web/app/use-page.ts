import { useLocation, useNavigate } from 'react-router'

const LAST = 1_000_000

/*
 * Not `useSearchParams`, here and elsewhere: with it a part of the router that nothing else needs comes along,
 * 5 kB on every screen.
 */

/** The page that the address asks for with `?page=` (1 when it names none that can exist), and how to turn it. */
export function usePage() {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const asked = Number(new URLSearchParams(search).get('page'))
  const page = Number.isSafeInteger(asked) && asked >= 1 && asked <= LAST ? asked : 1
  return { page, turnTo: (next: number) => void navigate(`${pathname}?page=${next}`) }
}
