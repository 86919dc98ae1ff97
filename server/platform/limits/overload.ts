/**
 * A queue is overloaded when callers that are next in their own line have had to wait for `after` milliseconds without
 * a break: a burst drains, an overload does not. From then on such a caller waits `patience` milliseconds at most.
 */
export type Overload = {
  after: number
  patience: number
  /** An overload has begun to refuse callers, or is over and has refused so many. */
  onChange?: (change: 'begun' | { refused: number }) => void
}

/** Milliseconds between looks at the queue. */
const TICK = 50
/** A look counts for at most as much, so that neither a paused process nor a clock that jumps ages the whole queue. */
const LONGEST_TICK = 200

/**
 * Adds `elapsed` milliseconds to the wait of all callers that are next in line, and refuses those that have waited
 * longer than `most`.
 * @returns how many there were, and how many of them were refused.
 */
type Shed = (elapsed: number, most: number) => { due: number; refused: number }

/**
 * Runs `shed` every tick between `start` and `stop`: while anyone waits. Like CoDel it looks at how long the queue has
 * stood, not at how long it is.
 */
export function shedWhenOverloaded({ after, patience, onChange }: Overload, shed: Shed) {
  let timer: NodeJS.Timeout | undefined
  let lookedAt = 0
  let stoodFor = 0
  let refused = 0
  const end = () => {
    stoodFor = 0
    if (refused > 0) onChange?.({ refused })
    refused = 0
  }
  const look = () => {
    const elapsed = Math.min(Math.max(Date.now() - lookedAt, TICK), LONGEST_TICK)
    lookedAt = Date.now()
    stoodFor += elapsed
    const found = shed(elapsed, stoodFor > after ? patience : Infinity)
    if (found.refused > 0 && refused === 0) onChange?.('begun')
    refused += found.refused
    if (found.due === found.refused) end()
  }
  return {
    start() {
      if (timer) return
      lookedAt = Date.now()
      timer = setInterval(look, TICK)
    },
    stop() {
      clearInterval(timer)
      timer = undefined
      end()
    },
  }
}
