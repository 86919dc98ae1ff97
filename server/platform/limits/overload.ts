/** An overload begins with the first refused call. At its end, `refused` counts all of them. */
export type OverloadChange = 'begun' | { refused: number }

/**
 * A waiting call is due if only calls of other callers keep it waiting. A queue is overloaded once there have
 * been due calls for this long without a break, unless their number is falling.
 */
const THRESHOLD_MS = 1_000
/** While the queue is overloaded, no call stays due for longer than this. */
const OVERLOAD_TIMEOUT_MS = 150
/** While the number of due calls falls, as after a burst, those that can be served within this time stay. */
const DRAIN_MS = 4_000
const TICK_MS = 50
/** The most that one tick counts for, so that neither a pause nor a jump of the clock makes calls overdue. */
const MAX_TICK_MS = 200
/** How far back the pace is measured. */
const PACE_WINDOW_MS = 2_000

/** After `elapsedMs`, refuses calls that were due for longer than `maxWaitMs`, except the first `keep`. */
export type ShedOverdue = (limits: { elapsedMs: number; maxWaitMs: number; keep: number }) => QueueSample

/** The queue at a tick; `waiting` and `due` are from before anyone was refused. */
export type QueueSample = {
  waiting: number
  /** How many of them are due. */
  due: number
  /** How many were served since the previous tick. */
  served: number
  /** How many were refused at this tick. */
  refused: number
  /** How many are due after the refusals. Others may have become due. */
  stillDue: number
}

/** Runs `shed` each tick while anyone waits. Like CoDel, judges a queue by its duration, not its length. */
export function shedWhenOverloaded(onChange: (change: OverloadChange) => void, shed: ShedOverdue) {
  let timer: NodeJS.Timeout | undefined
  let tickedAt = 0
  /** For how long there have been due calls without a break. */
  let dueForMs = 0
  let refused = 0
  let pace = createPaceMeter()
  const endOverload = () => {
    dueForMs = 0
    if (refused > 0) onChange({ refused })
    refused = 0
  }
  const tick = () => {
    const elapsedMs = Math.min(Math.max(Date.now() - tickedAt, TICK_MS), MAX_TICK_MS)
    tickedAt = Date.now()
    dueForMs += elapsedMs
    const maxWaitMs = dueForMs > THRESHOLD_MS ? OVERLOAD_TIMEOUT_MS : Infinity
    // Measured in the latter half of the time for which calls have been due, because a burst grows at first.
    const keep = pace.shrinkagePerMs(dueForMs / 2) * DRAIN_MS
    const sample = shed({ elapsedMs, maxWaitMs, keep })
    pace.add({ elapsedMs, ...sample })
    if (sample.refused > 0 && refused === 0) onChange('begun')
    refused += sample.refused
    if (sample.waiting - sample.refused === 0) stop()
    else if (sample.stillDue === 0) endOverload()
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
    endOverload()
  }
  return {
    stop,
    start() {
      if (timer) return
      tickedAt = Date.now()
      pace = createPaceMeter()
      timer = setInterval(tick, TICK_MS)
    },
    /** Seconds that it takes to serve as many calls as waited at the last tick. */
    secondsOfWork: () => pace.secondsOfWork(),
  }
}

type TimedSample = QueueSample & { elapsedMs: number }

function createPaceMeter() {
  let samples: TimedSample[] = []
  /** The samples of the latest `ms` milliseconds, after one that shows the state before. */
  const within = (ms: number) => {
    let coveredMs = 0
    const start = samples.findLastIndex(({ elapsedMs }) => {
      coveredMs += elapsedMs
      return coveredMs > ms
    })
    return samples.slice(Math.max(start, 0))
  }
  return {
    add(sample: TimedSample) {
      samples.push(sample)
      samples = within(PACE_WINDOW_MS)
    },
    /** How fast the number of due calls falls because they are served, not refused; 0 if it does not. */
    shrinkagePerMs(ms: number): number {
      const recent = within(ms)
      // Without the refusals of the last sample, which came after its calls were counted.
      const refused = sumOf(recent.slice(0, -1), 'refused')
      const fewer = (recent[0]?.due ?? 0) - (recent.at(-1)?.due ?? 0) - refused
      return fewer > 0 ? fewer / sumOf(recent.slice(1), 'elapsedMs') : 0
    },
    secondsOfWork(): number {
      const [, ...later] = samples
      const perSecond = (1_000 * sumOf(later, 'served')) / sumOf(later, 'elapsedMs') || 0 // Not NaN.
      return (samples.at(-1)?.waiting ?? 0) / Math.max(perSecond, 1)
    },
  }
}

const sumOf = (samples: readonly TimedSample[], key: 'elapsedMs' | 'served' | 'refused') =>
  samples.reduce((total, sample) => total + sample[key], 0)
