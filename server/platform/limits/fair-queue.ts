import { refuse } from '../refusal.ts'
import { type OverloadChange, type QueueSample, type ShedOverdue, shedWhenOverloaded } from './overload.ts'
import { createTurnQueue, type Turn, type TurnQueue } from './turn.ts'

export type QueueLimits = {
  concurrency: number
  /** By default the same as `concurrency`. */
  concurrencyPerCaller?: number
  /** In one lane, which is a kind of work. */
  maxWaiting: number
  /** In one lane. */
  maxWaitingPerCaller: number
  timeoutMs: number
  /** Told when an overload begins and ends. Without it, only the limits above refuse calls. */
  onOverload?: ((change: OverloadChange) => void) | undefined
  /** From 0 to below 1, for Retry-After. */
  random?: () => number
}

type Waiter = {
  /** Milliseconds for which only calls of other callers have kept it waiting. */
  dueMs: number
  admit: () => void
  refuse: (code: 'rate_limited' | 'unavailable') => void
}

/**
 * Retry-After is random, so that callers who are refused together do not come back together: from one second
 * to the time that it takes to serve all who wait, which counts as at least `min` and at most `max`.
 */
const RETRY_WITHIN_SECONDS = { min: 3, max: 10 }

/**
 * A fair semaphore: round-robin over lanes and callers, so one caller's backlog does not delay others. When a
 * lane is full, its longest queue drops its newest entry. A released permit is passed on in the next turn of
 * the event loop, so that work that never waits cannot block the loop. Why not a library: docs/decisions/024.
 */
export function createFairQueue({
  concurrency,
  concurrencyPerCaller,
  maxWaiting,
  maxWaitingPerCaller,
  timeoutMs,
  onOverload,
  random = Math.random,
}: QueueLimits) {
  const queue = createTurnQueue<Waiter>()
  const permits = createPermits(concurrency, concurrencyPerCaller)
  let served = 0
  const shedding =
    onOverload &&
    shedWhenOverloaded(onOverload, (limits) => {
      const sample = { ...refuseOverdue(queue, permits, limits), served }
      served = 0
      return sample
    })

  function dispatch() {
    while (permits.isAnyFree()) {
      const next = queue.takeNext(permits.mayTake)
      if (!next) break
      permits.take(next.caller)
      served += 1
      next.item.admit()
    }
    stopSheddingIfEmpty()
  }

  function stopSheddingIfEmpty() {
    if (queue.isEmpty()) shedding?.stop()
  }

  function add(turn: Turn, waiter: Waiter) {
    const ownLength = queue.itemsOf(turn).length
    if (ownLength >= maxWaitingPerCaller) return waiter.refuse('rate_limited')
    if (queue.lengthOf(turn.lane) >= maxWaiting) {
      const { caller, items } = queue.longestOf(turn.lane)
      const newest = items.at(-1)
      // With this call, the caller's own queue would be the longest in the lane.
      if (!newest || items.length <= ownLength + 1) return waiter.refuse('unavailable')
      queue.remove({ ...turn, caller }, newest)
      newest.refuse('rate_limited')
    }
    queue.add(turn, waiter)
    shedding?.start()
  }

  function drawRetryAfter(): number {
    const within = Math.max(RETRY_WITHIN_SECONDS.min, shedding?.secondsOfWork() ?? 0)
    return 1 + Math.floor(random() * Math.min(within, RETRY_WITHIN_SECONDS.max))
  }

  function wait(turn: Turn, gone?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leaveQueue = (end: () => void) => {
        clearTimeout(timer)
        gone?.removeEventListener('abort', giveUp)
        end()
      }
      const waiter: Waiter = {
        dueMs: 0,
        admit: () => leaveQueue(resolve),
        refuse: (code) => leaveQueue(() => reject(refuse(code, { retryAfter: drawRetryAfter() }))),
      }
      const giveUp = () => {
        if (!queue.remove(turn, waiter)) return
        stopSheddingIfEmpty()
        // A caller at its own concurrency limit was delayed only by itself.
        waiter.refuse(permits.mayTake(turn.caller) ? 'unavailable' : 'rate_limited')
      }
      const timer = setTimeout(giveUp, timeoutMs)
      gone?.addEventListener('abort', giveUp, { once: true })
      add(turn, waiter)
    })
  }

  /** Like {@link enter}, but without waiting: undefined if the caller may not run now. */
  function tryEnter({ caller }: Turn): (() => void) | undefined {
    if (!permits.isAnyFree() || !permits.mayTake(caller)) return undefined
    permits.take(caller)
    return releaserFor(caller)
  }

  /**
   * Waits for a permit.
   * @param gone aborts when the caller has disconnected, and removes it from the queue.
   * @returns an idempotent function that releases the permit.
   * @throws refusal `rate_limited` when the caller itself is the cause (too many waiting or running), else
   * `unavailable`; both with a random Retry-After.
   */
  async function enter(turn: Turn, gone?: AbortSignal): Promise<() => void> {
    const release = tryEnter(turn)
    if (release) return release
    await wait(turn, gone)
    return releaserFor(turn.caller)
  }

  function releaserFor(caller: string): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      setImmediate(() => {
        permits.giveBack(caller)
        dispatch()
      })
    }
  }

  return {
    enter,
    tryEnter,
    hasWaiting: () => !queue.isEmpty(),
    async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
      const release = await enter(turn)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

type Permits = ReturnType<typeof createPermits>

function createPermits(max: number, maxPerCaller = max) {
  const heldBy = new Map<string, number>()
  let held = 0
  /** How many more a caller may take. */
  const allowanceOf = (caller: string) => maxPerCaller - (heldBy.get(caller) ?? 0)
  return {
    allowanceOf,
    mayTake: (caller: string) => allowanceOf(caller) > 0,
    isAnyFree: () => held < max,
    take(caller: string) {
      held += 1
      heldBy.set(caller, (heldBy.get(caller) ?? 0) + 1)
    },
    giveBack(caller: string) {
      held -= 1
      const left = (heldBy.get(caller) ?? 0) - 1
      if (left > 0) heldBy.set(caller, left)
      else heldBy.delete(caller)
    },
  }
}

/**
 * Refuses calls that have been due for too long. A call is due if only other callers keep it waiting. In each
 * lane, these are a caller's first waiting calls, as many as it may still take permits. The first `keep` due
 * calls are never refused.
 */
function refuseOverdue(
  queue: TurnQueue<Waiter>,
  { allowanceOf }: Permits,
  { elapsedMs, maxWaitMs, keep }: Parameters<ShedOverdue>[0],
): Omit<QueueSample, 'served'> {
  const sample = { waiting: 0, due: 0, refused: 0, stillDue: 0 }
  for (const [turn, waiters] of queue.entries()) {
    const allowance = allowanceOf(turn.caller)
    sample.waiting += waiters.length
    for (const waiter of waiters.slice(0, allowance)) {
      sample.due += 1
      waiter.dueMs += elapsedMs
      const isKept = sample.due - sample.refused <= keep
      if (isKept || waiter.dueMs <= maxWaitMs) continue
      queue.remove(turn, waiter)
      sample.refused += 1
      waiter.refuse('unavailable')
    }
    // By now, `waiters` does not contain the refused ones.
    sample.stillDue += Math.min(waiters.length, allowance)
  }
  return sample
}
