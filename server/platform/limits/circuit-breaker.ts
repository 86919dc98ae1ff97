const FAILURE_THRESHOLD = 5
const OPEN_MS = 30_000

export type CircuitBreaker = {
  /** False while the breaker is open. Call it only for a request that is then sent and recorded. */
  admitRequest(): boolean
  record(outcome: 'success' | 'failure'): void
}

/**
 * Opens for 30 s after five consecutive failures, then allows one trial request, whose outcome closes or
 * reopens it. Why not a library: docs/decisions/024.
 * @param now monotonic clock in milliseconds.
 */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  let failures = 0
  let openUntil = -Infinity
  return {
    admitRequest() {
      if (now() < openUntil) return false
      // Half-open: this request is the trial. Others stay blocked until its outcome is recorded, or for 30 s.
      if (failures >= FAILURE_THRESHOLD) openUntil = now() + OPEN_MS
      return true
    },
    record(outcome) {
      failures = outcome === 'success' ? 0 : failures + 1
      openUntil = failures >= FAILURE_THRESHOLD ? now() + OPEN_MS : -Infinity
    },
  }
}
