/** The page that an address asks for with `?page=`; 1 when it names none that can exist. */
export function pageOf(search: URLSearchParams): number {
  const page = Number(search.get('page'))
  return Number.isSafeInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1
}
