export type Semaphore = {
  /**
   * Runs `work` as soon as fewer than the allowed number are inside.
   * @throws the signal's reason when it aborts while waiting.
   */
  pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Lets a number of callers in at once; the others wait in the order in which they came. */
export function createSemaphore(atOnce: number): Semaphore {
  let inside = 0
  const waiting = new Set<() => void>()
  const enter = async (signal: AbortSignal) => {
    if (inside >= atOnce) await turn(signal)
    else inside += 1
  }
  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(goIn)
        reject(signal.reason as Error)
      }
      const goIn = () => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.add(goIn)
    })
  const leave = () => {
    const [next] = waiting
    // The place is handed over, so that nobody who comes now gets in before.
    if (next) waiting.delete(next)
    else inside -= 1
    next?.()
  }
  return {
    async pass(signal, work) {
      signal.throwIfAborted()
      await enter(signal)
      return work().finally(leave)
    },
  }
}
