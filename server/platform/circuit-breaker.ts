const FAILURES = 5
const OPEN_FOR = 30_000

export type CircuitBreaker = {
  /** Whether to try at all. */
  allowsRequest(): boolean
  record(outcome: 'success' | 'failure'): void
}

/**
 * Leaves a service alone for 30 s after five failures in a row, then lets one try through: its outcome
 * decides.
 * @param now milliseconds, only ever going up.
 */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  let failures = 0
  let closedAgainAt = -Infinity
  return {
    allowsRequest() {
      if (now() < closedAgainAt) return false
      // The one that tries after a pause; the others wait for what it finds.
      if (failures >= FAILURES) closedAgainAt = now() + OPEN_FOR
      return true
    },
    record(outcome) {
      failures = outcome === 'success' ? 0 : failures + 1
      if (failures >= FAILURES) closedAgainAt = now() + OPEN_FOR
      else closedAgainAt = -Infinity
    },
  }
}
