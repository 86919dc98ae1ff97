/**
 * A queue is overloaded when, for `after` milliseconds without a break, there have been callers kept waiting only by
 * others, and their number is not falling. From then on, such a caller waits at most `timeoutMs`. In a burst the number
 * does fall: as many as will have been served within `drainsIn` milliseconds may keep waiting.
 */
export type Overload = {
  after: number
  drainsIn: number
  timeoutMs: number
  /** An overload has begun to refuse callers, or has ended after refusing this many. */
  onChange?: (change: 'begun' | { refused: number }) => void
}

/** Milliseconds between checks of the queue. */
const TICK = 50
/** The most that one tick may count for, so that neither a paused process nor a jumping clock ages the whole queue. */
const LONGEST_TICK = 200
/** The pace is measured over at most this many milliseconds. */
const PACE_OVER = 2_000

/** Called every `elapsed` milliseconds: refuses callers who have waited longer than `most`, but keeps `keep` of them. */
export type Shed = (limits: { elapsed: number; most: number; keep: number }) => Seen

/** The state of the queue at a tick, before anyone was refused. */
export type Seen = {
  waiting: number
  /** How many of them only other callers keep waiting. */
  due: number
  /** How many were served since the previous tick. */
  served: number
  /** In this look. */
  refused: number
  /** After that: others may have moved up. */
  stillDue: number
}

/**
 * Runs `shed` every tick between `start` and `stop`: while anyone waits. Like CoDel it looks at how long the queue has
 * stood, not at how long it is.
 */
export function shedWhenOverloaded({ after, drainsIn, timeoutMs, onChange }: Overload, shed: Shed) {
  let timer: NodeJS.Timeout | undefined
  let lookedAt = 0
  let stoodFor = 0
  let refused = 0
  let pace = measurePace()
  const end = () => {
    stoodFor = 0
    if (refused > 0) onChange?.({ refused })
    refused = 0
  }
  const look = () => {
    const elapsed = Math.min(Math.max(Date.now() - lookedAt, TICK), LONGEST_TICK)
    lookedAt = Date.now()
    stoodFor += elapsed
    const most = stoodFor > after ? timeoutMs : Infinity
    const seen = shed({ elapsed, most, keep: pace.fewerPerMs(stoodFor / 2) * drainsIn })
    pace.add({ elapsed, ...seen })
    if (seen.refused > 0 && refused === 0) onChange?.('begun')
    refused += seen.refused
    if (seen.stillDue === 0) end()
  }
  return {
    start() {
      if (timer) return
      lookedAt = Date.now()
      pace = measurePace()
      timer = setInterval(look, TICK)
    },
    stop() {
      clearInterval(timer)
      timer = undefined
      end()
    },
    /** Seconds that it takes to serve as many callers as waited at the last look. */
    secondsOfWork: () => pace.secondsOfWork(),
  }
}

type Look = Seen & { elapsed: number }

function measurePace() {
  let looks: Look[] = []
  /** The last looks that cover as many milliseconds; changes are counted from the first one. */
  const within = (ms: number) => {
    let covered = 0
    const start = looks.findLastIndex(({ elapsed }) => (covered += elapsed) > ms)
    return looks.slice(Math.max(start, 0))
  }
  return {
    add(look: Look) {
      looks.push(look)
      looks = within(PACE_OVER)
    },
    /** By how many those who are due have become fewer because they were served; 0 if they have not. */
    fewerPerMs(ms: number): number {
      const some = within(ms)
      const refused = sumOf(some.slice(0, -1), 'refused')
      const fewer = (some[0]?.due ?? 0) - (some.at(-1)?.due ?? 0) - refused
      return fewer > 0 ? fewer / sumOf(some.slice(1), 'elapsed') : 0
    },
    secondsOfWork(): number {
      const [, ...later] = looks
      const perSecond = (1_000 * sumOf(later, 'served')) / sumOf(later, 'elapsed') || 0
      return (looks.at(-1)?.waiting ?? 0) / Math.max(perSecond, 1)
    },
  }
}

const sumOf = (looks: readonly Look[], what: 'elapsed' | 'served' | 'refused') =>
  looks.reduce((total, look) => total + look[what], 0)
