import { navigate, useLocationProperty } from 'wouter/use-browser-location'

/** Goes to a path of the application. With `replace`, the path replaces the current entry of the history. */
export { navigate }

/** The parts of the current address. A component renders again when one of them changes. */
export function useLocation(): { pathname: string; search: string; hash: string } {
  return {
    pathname: useLocationProperty(() => location.pathname),
    search: useLocationProperty(() => location.search),
    hash: useLocationProperty(() => location.hash),
  }
}

/** Empty if the address lacks the parameter. */
export const useParam = (name: string): string =>
  useLocationProperty(() => new URLSearchParams(location.search).get(name) ?? '')

/** Adds query parameters to a path, except empty and undefined ones. */
export function withQuery(path: string, params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}
