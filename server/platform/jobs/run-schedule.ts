export type RecurringJob = {
  name: string
  /** Milliseconds between the end of one run and the start of the next. */
  intervalMs: number
  /** A long run ends early when `stop` aborts. */
  run: (stop: AbortSignal) => Promise<unknown>
}

/** Keeps jobs with a short interval from failing all the time while the database is unavailable. */
const MIN_RETRY_MS = 2_000

/** Repeats each job at its interval, a failed one not within 2 s. Why not a library: docs/decisions/024. */
export function runSchedule(jobs: readonly RecurringJob[], onError: (name: string, error: unknown) => void) {
  const stopping = new AbortController()
  const loops = jobs.map((job) => {
    let timer: NodeJS.Timeout | undefined
    let current: Promise<void> = Promise.resolve()
    let isRequested = false
    let isRunning = false
    const runOnce = async () => {
      isRunning = true
      isRequested = false
      let hasFailed = false
      try {
        await job.run(stopping.signal)
      } catch (error) {
        hasFailed = true
        onError(job.name, error)
      }
      isRunning = false
      if (stopping.signal.aborted) return
      const delayMs = isRequested ? 0 : job.intervalMs
      schedule(hasFailed ? Math.max(delayMs, MIN_RETRY_MS) : delayMs)
    }
    const schedule = (delayMs: number) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        current = runOnce()
      }, delayMs)
    }
    schedule(0)
    return {
      name: job.name,
      runSoon: () => {
        isRequested = true
        if (!isRunning && !stopping.signal.aborted) schedule(0)
      },
      stop: () => {
        clearTimeout(timer)
        return current
      },
    }
  })
  return {
    /** Runs this job now, or once more after the run in progress. */
    runSoon: (name: string) => loops.find((loop) => loop.name === name)?.runSoon(),
    /** Aborts runs in progress, waits for them, and starts no more. */
    async stop() {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
