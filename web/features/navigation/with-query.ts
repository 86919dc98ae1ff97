/** A path with query parameters, without those that are empty or undefined. */
export function withQuery(path: string, params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value)
  return query.size === 0 ? path : `${path}?${query}`
}
