import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { REVIEW_EVENTS_PATH } from '#contract/dashboard/review.ts'
import { readStored } from '#web/features/session/storage.ts'
import { runSerially, watchEvents } from './watch-events.ts'
import { refetchReview } from './use-queue.ts'

/** The delay before reconnecting, and so the polling interval if there is no stream. */
const RETRY_MS = 10_000
/** How long a refetch may delay the next one, because a call on a lost connection may never end. */
const STALLED_MS = 30_000

/** Refetches the lists when a reviewer or participant changes something. Pauses while the page is hidden. */
export function useReviewUpdates(): void {
  const queries = useQueryClient()
  useEffect(() => {
    // Changes that arrive during a refetch share the next one.
    const refetch = runSerially(() => Promise.race([refetchReview(queries), delay(STALLED_MS)]))
    return whileVisible((signal) => void keepListening(refetch, signal))
  }, [queries])
}

/**
 * Calls `start` now if the page is visible, and when it becomes visible. Hiding it aborts the signal.
 * @returns a function that stops this.
 */
function whileVisible(start: (signal: AbortSignal) => void): () => void {
  let controller: AbortController | undefined
  const restart = () => {
    controller?.abort()
    controller = document.hidden ? undefined : new AbortController()
    if (controller) start(controller.signal)
  }
  document.addEventListener('visibilitychange', restart)
  restart()
  return () => {
    document.removeEventListener('visibilitychange', restart)
    controller?.abort()
  }
}

async function keepListening(refetch: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Without a stream (the server has too many open, or the network cut it), this loop polls.
    await listen(refetch, signal).catch(() => {})
    await delay(RETRY_MS)
    if (!signal.aborted) refetch()
  }
}

/** Uses `fetch`, because an EventSource cannot send the bearer token. */
async function listen(refetch: () => void, signal: AbortSignal): Promise<void> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${readStored('token') ?? ''}` }
  const response = await fetch(REVIEW_EVENTS_PATH, { headers, signal, cache: 'no-store' })
  if (!response.ok || !response.body) return
  // The server sends an event at once, which refetches what changed while there was no stream.
  await watchEvents(response.body, refetch)
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
