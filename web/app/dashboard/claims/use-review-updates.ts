import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { REVIEW_EVENTS_PATH } from '#contract/dashboard/review.ts'
import { readStored } from '#web/features/session/storage.ts'
import { runSerially, watchEvents } from './watch-events.ts'
import { refetchReview } from './use-queue.ts'

/** Delay before reconnecting to a closed stream, and so the polling interval while there is no stream. */
const RETRY_MS = 10_000
/** How long a refetch may hold up the next one: a connection that the network has lost may never fail. */
const STALLED_MS = 30_000

/** Refetches the lists when a reviewer or participant changes something, while the page is visible. */
export function useReviewUpdates(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const refetch = runSerially(() => Promise.race([refetchReview(queries), delay(STALLED_MS)]))
    return whileVisible((signal) => void keepListening(refetch, signal))
  }, [queries])
}

/**
 * Calls `start` whenever the page becomes visible, and at once if it is; hiding the page aborts the signal.
 * @returns a stop function.
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
    // If the node has too many streams, or the network cuts this one, the loop polls.
    await listen(refetch, signal).catch(() => {})
    await delay(RETRY_MS)
    if (!signal.aborted) refetch()
  }
}

/** Reads the stream with `fetch`, because an EventSource cannot send the bearer token. */
async function listen(refetch: () => void, signal: AbortSignal): Promise<void> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${readStored('token') ?? ''}` }
  const response = await fetch(REVIEW_EVENTS_PATH, { headers, signal, cache: 'no-store' })
  if (!response.ok || !response.body) return
  // The server sends one event at once; its refetch shows what changed while there was no stream.
  await watchEvents(response.body, refetch)
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
