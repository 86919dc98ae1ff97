import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** The time between two checks of the event loop, and before the first, so that the program has started. */
const INTERVAL_MS = 5_000
/** The event loop counts as idle up to this utilization. Compacting blocks it for some 50 ms. */
const MAX_IDLE_UTILIZATION = 0.1

/**
 * Once the event loop is idle, frees the memory that only the start needed: 10 of 135 MB. V8 would not return
 * it to the operating system for as long as nothing happens.
 * @returns a function that cancels this.
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

/** Collects all garbage now, with V8's `last-resort` even compiled code that ran only once. */
export function compactHeap(): void {
  // V8's flags can be set at run time. A context sees those that were set when it was created.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
