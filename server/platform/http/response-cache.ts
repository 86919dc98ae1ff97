export type ResponseCache<T> = {
  /** The cached value, else that of `make`; concurrent calls share one `make`. Failures are not cached. */
  get(key: string, make: () => Promise<T>): Promise<T>
  /** Drops everything, including values in progress. */
  clear(): void
}

type Limits = {
  /** Lifetime in milliseconds, from the start of `make`. */
  keepFor: number
  maxEntries?: number
  now?: () => number
}

type Entry<T> = { value: Promise<T>; until: number; isPending: boolean }

/** Short-lived cache of public responses that coalesces concurrent requests. */
export function createResponseCache<T>({
  keepFor,
  maxEntries = 200,
  now = () => performance.now(),
}: Limits): ResponseCache<T> {
  const entries = new Map<string, Entry<T>>()

  function load(key: string, make: () => Promise<T>): Promise<T> {
    const value = make()
    const entry = { value, until: now() + keepFor, isPending: true }
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    value.then(
      () => (entry.isPending = false),
      () => entries.get(key) === entry && entries.delete(key),
    )
    return value
  }

  return {
    get(key, make) {
      const entry = entries.get(key)
      return entry && (entry.isPending || now() < entry.until) ? entry.value : load(key, make)
    },
    clear: () => entries.clear(),
  }
}
