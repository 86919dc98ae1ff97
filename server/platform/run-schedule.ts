/** Recurring work on this node. */
export type RecurringJob = {
  name: string
  /** Milliseconds between the end of one run and the start of the next. */
  intervalMs: number
  /** `stop` tells a long run to come to its end. */
  run: (stop: AbortSignal) => Promise<unknown>
}

export type RunningSchedule = {
  /** Runs this one soon, without waiting for its time. */
  wake(name: string): void
  /** Lets the runs under way finish, and starts no more. */
  stop(): Promise<void>
}

/** Milliseconds; while the database is away nobody needs a report a second. */
const AFTER_FAILURE = 2_000

/** Starts recurring work; a run that fails is reported and comes again at its time. */
export function runSchedule(
  list: readonly RecurringJob[],
  onError: (name: string, error: unknown) => void,
): RunningSchedule {
  const stopping = new AbortController()
  const loops = list.map((item) => {
    let timer: NodeJS.Timeout | undefined
    let current: Promise<void> = Promise.resolve()
    let wanted = false
    let busy = false
    const once = async () => {
      busy = true
      wanted = false
      const failed = await item.run(stopping.signal).then(
        () => false,
        (error: unknown) => {
          onError(item.name, error)
          return true
        },
      )
      busy = false
      if (!stopping.signal.aborted)
        schedule(failed ? Math.max(item.intervalMs, AFTER_FAILURE) : wanted ? 0 : item.intervalMs)
    }
    const schedule = (delay: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => (current = once()), delay)
    }
    schedule(0)
    return {
      name: item.name,
      wake: () => {
        wanted = true
        if (!busy && !stopping.signal.aborted) schedule(0)
      },
      stop: () => {
        clearTimeout(timer)
        return current
      },
    }
  })
  return {
    wake: (name) => loops.find((loop) => loop.name === name)?.wake(),
    stop: async () => {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
