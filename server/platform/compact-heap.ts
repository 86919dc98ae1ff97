import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Between two checks of the event loop. By the first one, the program has started. */
const INTERVAL_MS = 5_000
/** Up to this utilization, the event loop counts as idle: a collection blocks it for some 50 ms. */
const MAX_IDLE_UTILIZATION = 0.1

/**
 * Returns the memory that only the start needed to the operating system, once the event loop is idle: 10 of
 * 135 MB, which V8 would keep for as long as nothing happens.
 * @returns a function that stops waiting for that moment.
 */
export function compactHeapWhenIdle(compact = compactHeap): () => void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > MAX_IDLE_UTILIZATION) return
    clearInterval(timer)
    compact()
  }, INTERVAL_MS).unref()
  return () => clearInterval(timer)
}

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Collects all garbage now, as V8 does as a last resort: even compiled code that ran only once. */
export function compactHeap(): void {
  // Flags of V8 may be set at run time, and a context sees those that were set when it was created.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
