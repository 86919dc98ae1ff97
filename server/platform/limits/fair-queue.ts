import { refuse } from '../refusal.ts'
import { type Overload, type QueueSample, type ShedOverdue, shedWhenOverloaded } from './overload.ts'

/** Scheduling key: lanes are served round-robin, and so are the callers of each lane. */
export type Turn = { lane: string; caller: string }

export type QueueLimits = {
  /** Maximum concurrency. */
  concurrency: number
  /** The same for one caller; defaults to `concurrency`. */
  concurrencyPerCaller?: number
  /** Queue length of one lane, and of one caller in it. */
  maxWaiting: number
  maxWaitingPerCaller: number
  /** Limit of waiting. */
  timeoutMs: number
  /** Sheds load early; without it, waiters are refused only by the limits above. */
  overload?: Overload | undefined
  /** From 0 to below 1, for Retry-After. */
  random?: () => number
}

export type FairQueue = {
  /**
   * Waits for a permit.
   * @param gone aborts when the caller has disconnected, and removes it from the queue.
   * @returns an idempotent function that releases the permit.
   * @throws refusal `rate_limited` when the caller itself is the cause (too many waiting or running), else
   * `unavailable`; both with a random Retry-After.
   */
  enter(turn: Turn, gone?: AbortSignal): Promise<() => void>
  /** A permit if one is free, without waiting. */
  tryEnter(turn: Turn): (() => void) | undefined
  /** Whether anyone waits. */
  hasWaiting(): boolean
  /** Runs `work` with a permit. */
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}

type Waiter = {
  /** Milliseconds for which others, not the caller's own earlier calls, have kept it waiting. */
  waitedMs: number
  admit: () => void
  refuse: (code: 'rate_limited' | 'unavailable') => void
}
type Lane = { waiting: number; callers: Map<string, Waiter[]> }

/**
 * Retry-After is random: 1 to 3 seconds, or to as many as it takes to serve all who wait. Callers who are refused
 * together do not come back together.
 */
const RETRY_AFTER_SECONDS = { min: 3, max: 10 }

/**
 * A fair semaphore: round-robin over lanes and callers, so one caller's backlog does not delay others. When a lane
 * is full, its longest queue drops its newest entry. Permits pass on in the next turn of the event loop, so that
 * synchronous work does not starve it.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const {
    concurrency,
    concurrencyPerCaller = concurrency,
    maxWaiting,
    maxWaitingPerCaller,
    timeoutMs,
  } = limits
  const { random = Math.random } = limits
  // Insertion order is the order of turns.
  const lanes = new Map<string, Lane>()
  const running = new Map<string, number>()
  let used = 0
  let served = 0
  const shedding = limits.overload && shedWhenOverloaded(limits.overload, shedOverdue)

  const runningOf = (caller: string) => running.get(caller) ?? 0

  function acquire(caller: string) {
    used += 1
    running.set(caller, runningOf(caller) + 1)
  }

  function release(caller: string) {
    used -= 1
    const left = runningOf(caller) - 1
    if (left > 0) running.set(caller, left)
    else running.delete(caller)
    dispatch()
  }

  function dispatch() {
    for (let next = takeNext(); next; next = takeNext()) next.admit()
  }

  /** Takes the next waiter, counts it as running, and moves its lane and caller to the back. */
  function takeNext(): Waiter | undefined {
    if (used >= concurrency) return undefined
    for (const [name, lane] of lanes)
      for (const [caller, waiters] of lane.callers) {
        if (runningOf(caller) >= concurrencyPerCaller) continue
        const [next] = waiters
        if (!next) continue
        remove({ lane: name, caller }, next)
        if (lane.callers.delete(caller) && waiters.length > 0) lane.callers.set(caller, waiters)
        if (lanes.delete(name) && lane.waiting > 0) lanes.set(name, lane)
        acquire(caller)
        served += 1
        return next
      }
    return undefined
  }

  function add({ lane: name, caller }: Turn, waiter: Waiter) {
    const lane = lanes.get(name) ?? { waiting: 0, callers: new Map<string, Waiter[]>() }
    const own = lane.callers.get(caller) ?? []
    if (own.length >= maxWaitingPerCaller) return waiter.refuse('rate_limited')
    if (lane.waiting >= maxWaiting) {
      const [longest, waiters] = longestOf(lane)
      if (waiters.length <= own.length + 1) return waiter.refuse('unavailable')
      const last = waiters.at(-1)
      if (last && remove({ lane: name, caller: longest }, last)) last.refuse('rate_limited')
    }
    own.push(waiter)
    lane.callers.set(caller, own)
    lane.waiting += 1
    lanes.set(name, lane)
    shedding?.start()
  }

  /**
   * A caller’s first waiters, as many as it may run at once, have waited for others; those behind them, for the
   * caller’s own.
   */
  function shedOverdue({ elapsed, maxWait, keep }: Parameters<ShedOverdue>[0]): QueueSample {
    const sample = { waiting: 0, due: 0, served, refused: 0, stillDue: 0 }
    served = 0
    for (const [lane, { callers, waiting }] of lanes) {
      sample.waiting += waiting
      for (const [caller, waiters] of callers) {
        const mayRun = Math.max(0, concurrencyPerCaller - runningOf(caller))
        for (const waiter of waiters.slice(0, mayRun)) {
          sample.due += 1
          waiter.waitedMs += elapsed
          if (sample.due - sample.refused <= keep || waiter.waitedMs <= maxWait) continue
          if (!remove({ lane, caller }, waiter)) continue
          sample.refused += 1
          waiter.refuse('unavailable')
        }
        sample.stillDue += Math.min(waiters.length, mayRun)
      }
    }
    return sample
  }

  /** @returns whether the waiter was still queued. */
  function remove({ lane: name, caller }: Turn, waiter: Waiter): boolean {
    const lane = lanes.get(name)
    const waiters = lane?.callers.get(caller)
    const index = waiters?.indexOf(waiter) ?? -1
    if (!lane || !waiters || index < 0) return false
    waiters.splice(index, 1)
    lane.waiting -= 1
    if (waiters.length === 0) lane.callers.delete(caller)
    if (lane.waiting === 0) lanes.delete(name)
    if (lanes.size === 0) shedding?.stop()
    return true
  }

  function retryAfter(): number {
    const within = Math.max(RETRY_AFTER_SECONDS.min, shedding?.secondsOfWork() ?? 0)
    return 1 + Math.floor(random() * Math.min(within, RETRY_AFTER_SECONDS.max))
  }

  function wait(turn: Turn, gone?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = (end: () => void) => {
        clearTimeout(late)
        gone?.removeEventListener('abort', giveUp)
        end()
      }
      const waiter: Waiter = {
        waitedMs: 0,
        admit: () => leaveQueue(resolve),
        refuse: (code) => leaveQueue(() => reject(refuse(code, { retryAfter: retryAfter() }))),
      }
      const giveUp = () => {
        if (!remove(turn, waiter)) return
        // A caller at its own concurrency limit was delayed only by itself.
        waiter.refuse(runningOf(turn.caller) >= concurrencyPerCaller ? 'rate_limited' : 'unavailable')
      }
      const late = setTimeout(giveUp, timeoutMs)
      gone?.addEventListener('abort', giveUp, { once: true })
      add(turn, waiter)
    })
  }

  function tryEnter({ caller }: Turn): (() => void) | undefined {
    if (used >= concurrency || runningOf(caller) >= concurrencyPerCaller) return undefined
    acquire(caller)
    return permitOf(caller)
  }

  async function enter(turn: Turn, gone?: AbortSignal): Promise<() => void> {
    const permit = tryEnter(turn)
    if (permit) return permit
    await wait(turn, gone)
    return permitOf(turn.caller)
  }

  function permitOf(caller: string): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      setImmediate(release, caller)
    }
  }

  return {
    enter,
    tryEnter,
    hasWaiting: () => lanes.size > 0,
    async run(turn, work) {
      const releasePermit = await enter(turn)
      try {
        return await work()
      } finally {
        releasePermit()
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
