import { navigate, useLocationProperty } from 'wouter/use-browser-location'

/** Goes to a path of the application; with `replace`, in place of the current entry of the history. */
export { navigate }

/** The parts of the current address; a component renders again when one changes. */
export function useLocation(): { pathname: string; search: string; hash: string } {
  return {
    pathname: useLocationProperty(() => location.pathname),
    search: useLocationProperty(() => location.search),
    hash: useLocationProperty(() => location.hash),
  }
}

/** A query parameter of the current address; empty if it is absent. */
export const useParam = (name: string): string =>
  useLocationProperty(() => new URLSearchParams(location.search).get(name) ?? '')

/** A path with query parameters, without those that are empty or undefined. */
export function withQuery(path: string, params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}
