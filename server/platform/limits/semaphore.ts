export type Semaphore = {
  /**
   * Runs `work` once a permit is free.
   * @throws the signal's reason if it aborts while waiting.
   */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Limits concurrency to `permits`; waiting callers are served first in, first out. */
export function createSemaphore(permits: number): Semaphore {
  let used = 0
  const waiting = new Set<() => void>()
  const acquire = async (signal: AbortSignal) => {
    if (used >= permits) await waitForPermit(signal)
    else used += 1
  }
  const waitForPermit = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(grant)
        reject(signal.reason as Error)
      }
      const grant = () => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.add(grant)
    })
  const release = () => {
    const [next] = waiting
    // Passes the permit on directly: a new caller cannot overtake the queue.
    if (next) waiting.delete(next)
    else used -= 1
    next?.()
  }
  return {
    async run(signal, work) {
      signal.throwIfAborted()
      await acquire(signal)
      return work().finally(release)
    },
  }
}
