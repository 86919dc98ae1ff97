export type ResponseCache<T> = {
  /** What is kept under a key, or what `make` answers; whoever asks meanwhile shares it. A failure is not kept. */
  get(key: string, make: () => Promise<T>): Promise<T>
  /** Forgets everything, also what is under way: whoever asks from now on is answered anew. */
  clear(): void
}

type Limits = {
  /** Milliseconds since it was asked for that an answer is good. */
  keepFor: number
  /** Answers at most. */
  most?: number
  now?: () => number
}

type Kept<T> = { answer: Promise<T>; until: number; isPending: boolean }

/** Answers that are the same for everybody, for a moment: many who ask for one thing cost what a single one does. */
export function createResponseCache<T>({
  keepFor,
  most = 200,
  now = () => performance.now(),
}: Limits): ResponseCache<T> {
  const entries = new Map<string, Kept<T>>()

  function begin(key: string, make: () => Promise<T>): Promise<T> {
    const answer = make()
    const entry = { answer, until: now() + keepFor, isPending: true }
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > most && oldest !== undefined) entries.delete(oldest)
    answer.then(
      () => (entry.isPending = false),
      () => entries.get(key) === entry && entries.delete(key),
    )
    return answer
  }

  return {
    get(key, make) {
      const entry = entries.get(key)
      return entry && (entry.isPending || now() < entry.until) ? entry.answer : begin(key, make)
    },
    clear: () => entries.clear(),
  }
}
