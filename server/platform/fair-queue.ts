import { refuse } from './refusal.ts'

/** Whose turn it is, and for what: turns go round the lanes, and round the callers of each lane. */
export type Turn = { lane: string; caller: string }

export type QueueLimits = {
  /** Works under way at once. */
  atOnce: number
  /** Those of one caller; as many as there are places when absent. */
  atOnceEach?: number
  /** Works that wait in one lane, and those of one caller there. */
  waiting: number
  waitingEach: number
  /** Milliseconds that a work waits at most. */
  patience: number
}

export type FairQueue = {
  /**
   * Waits for a place.
   * @param gone Aborts when nobody waits for the work any more; its place in the queue is free then.
   * @returns how to leave the place again; a second call does nothing.
   * @throws refusal `rate_limited` for a caller with too much waiting or whose own works took too long, else
   * `unavailable`.
   */
  enter(turn: Turn, gone?: AbortSignal): Promise<() => void>
  /** Runs a work in its turn. */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}

type Waiter = { go: () => void; refuse: (code: 'rate_limited' | 'unavailable') => void }
type Lane = { waiting: number; callers: Map<string, Waiter[]> }

const RETRY_SECONDS = 2

/**
 * A queue in which nobody's backlog is in the way of others: whoever has nothing waiting comes next. Of a
 * full lane the caller with most waiting loses the newest. A place is handed on in the next turn of the
 * event loop, so that works which need no waiting still let everything else in between.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const { atOnce, atOnceEach = atOnce, waiting: most, waitingEach, patience } = limits
  // In the order of their turns.
  const lanes = new Map<string, Lane>()
  const running = new Map<string, number>()
  let taken = 0

  const runningOf = (caller: string) => running.get(caller) ?? 0

  function take(caller: string) {
    taken += 1
    running.set(caller, runningOf(caller) + 1)
  }

  function leave(caller: string) {
    taken -= 1
    const left = runningOf(caller) - 1
    if (left > 0) running.set(caller, left)
    else running.delete(caller)
    handOut()
  }

  function handOut() {
    for (let next = takeNext(); next; next = takeNext()) next.go()
  }

  /** Whoever is next, already counted as running; the lane and the caller go to the end of their rounds. */
  function takeNext(): Waiter | undefined {
    if (taken >= atOnce) return undefined
    for (const [name, lane] of lanes)
      for (const [caller, waiters] of lane.callers) {
        if (runningOf(caller) >= atOnceEach) continue
        const [next] = waiters
        if (!next) continue
        remove({ lane: name, caller }, next)
        if (lane.callers.delete(caller) && waiters.length > 0) lane.callers.set(caller, waiters)
        if (lanes.delete(name) && lane.waiting > 0) lanes.set(name, lane)
        take(caller)
        return next
      }
    return undefined
  }

  function add({ lane: name, caller }: Turn, waiter: Waiter) {
    const lane = lanes.get(name) ?? { waiting: 0, callers: new Map<string, Waiter[]>() }
    const own = lane.callers.get(caller) ?? []
    if (own.length >= waitingEach) return waiter.refuse('rate_limited')
    if (lane.waiting >= most) {
      const [longest, waiters] = longestOf(lane)
      if (waiters.length <= own.length + 1) return waiter.refuse('unavailable')
      const last = waiters.at(-1)
      if (last && remove({ lane: name, caller: longest }, last)) last.refuse('rate_limited')
    }
    own.push(waiter)
    lane.callers.set(caller, own)
    lane.waiting += 1
    lanes.set(name, lane)
  }

  /** @returns whether it was still waiting. */
  function remove({ lane: name, caller }: Turn, waiter: Waiter): boolean {
    const lane = lanes.get(name)
    const waiters = lane?.callers.get(caller)
    const index = waiters?.indexOf(waiter) ?? -1
    if (!lane || !waiters || index < 0) return false
    waiters.splice(index, 1)
    lane.waiting -= 1
    if (waiters.length === 0) lane.callers.delete(caller)
    if (lane.waiting === 0) lanes.delete(name)
    return true
  }

  function wait(turn: Turn, gone?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(late)
        gone?.removeEventListener('abort', giveUp)
        end()
      }
      const waiter: Waiter = {
        go: () => settle(resolve),
        refuse: (code) => settle(() => reject(refuse(code, { retryAfter: RETRY_SECONDS }))),
      }
      const giveUp = () => {
        if (!remove(turn, waiter)) return
        // Who has a full share under way was kept waiting by nobody else.
        waiter.refuse(runningOf(turn.caller) >= atOnceEach ? 'rate_limited' : 'unavailable')
      }
      const late = setTimeout(giveUp, patience)
      gone?.addEventListener('abort', giveUp, { once: true })
      add(turn, waiter)
    })
  }

  async function enter(turn: Turn, gone?: AbortSignal): Promise<() => void> {
    if (taken < atOnce && runningOf(turn.caller) < atOnceEach) take(turn.caller)
    else await wait(turn, gone)
    let left = false
    return () => {
      if (left) return
      left = true
      setImmediate(leave, turn.caller)
    }
  }

  return {
    enter,
    async run(turn, work) {
      const leavePlace = await enter(turn)
      try {
        return await work()
      } finally {
        leavePlace()
      }
    },
  }
}

function longestOf(lane: Lane): [string, Waiter[]] {
  let longest: [string, Waiter[]] = ['', []]
  for (const [caller, waiters] of lane.callers)
    if (waiters.length > longest[1].length) longest = [caller, waiters]
  return longest
}
