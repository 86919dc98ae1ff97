import type { Deps } from '#server/deps.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** A call waits this long for its run, so that a short run has ended when the call is answered. */
const RESPONSE_WAIT_MS = 1_500

/**
 * Runs that may outlast the call that starts them. A node that stops aborts them: a freeze then stores
 * nothing, and the next reconcile continues after the blocks that were read.
 */
export type Background = {
  /** Starts a run and waits for it briefly. @throws what the run throws meanwhile. */
  start(run: (signal: AbortSignal) => Promise<unknown>): Promise<void>
  stop(): Promise<void>
}

export function createBackground({ log }: Pick<Deps, 'log'>): Background {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    async start(run) {
      let isAwaited = true
      const ended = run(stopping.signal).then(
        () => {},
        (error: unknown) => {
          if (isAwaited) throw error
          // The run's row in the database has the refusal for the dashboard.
          if (!(error instanceof Refusal)) log.error({ err: error }, 'a run of the payout failed')
        },
      )
      const settled = ended.catch(() => {}).finally(() => running.delete(settled))
      running.add(settled)
      const waitOver = Promise.withResolvers<void>()
      const timer = setTimeout(waitOver.resolve, RESPONSE_WAIT_MS)
      try {
        await Promise.race([ended, waitOver.promise])
      } finally {
        isAwaited = false
        clearTimeout(timer)
      }
    },
    async stop() {
      stopping.abort(new Error('The node is shutting down.'))
      await Promise.all(running)
    },
  }
}
