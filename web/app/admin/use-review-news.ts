import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { REVIEW_EVENTS_PATH } from '#contract/review.ts'
import { stored } from '#web/features/session/storage.ts'
import { REVIEW_QUERY, SUBMISSIONS_QUERY } from './use-queue.ts'

/** Delay before reconnecting to a closed stream; the polling interval without one. */
const AGAIN = 10_000

/** Refetches the lists when a reviewer or participant changes something, while the page is visible. */
export function useReviewNews(enabled: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!enabled) return
    const reload = () => {
      void queries.invalidateQueries({ queryKey: SUBMISSIONS_QUERY })
      void queries.invalidateQueries({ queryKey: REVIEW_QUERY })
    }
    return whileSeen((stop) => void follow(reload, stop))
  }, [enabled, queries])
}

/** Runs a task while the page is visible; aborts it when it is hidden or on unsubscribe. */
function whileSeen(run: (stop: AbortSignal) => void): () => void {
  let running: AbortController | undefined
  const adjust = () => {
    running?.abort()
    running = document.hidden ? undefined : new AbortController()
    if (running) run(running.signal)
  }
  document.addEventListener('visibilitychange', adjust)
  adjust()
  return () => {
    document.removeEventListener('visibilitychange', adjust)
    running?.abort()
  }
}

async function follow(reload: () => void, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    // Over the node's cap there is no stream, and a network may cut one: then it falls back to polling.
    await listen(reload, stop).catch(() => {})
    await pause(AGAIN, stop)
    if (!stop.aborted) reload()
  }
}

/** Reads the stream with `fetch`, because an EventSource cannot send the bearer token. */
async function listen(reload: () => void, stop: AbortSignal): Promise<void> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${stored('token') ?? ''}` }
  const response = await fetch(REVIEW_EVENTS_PATH, { headers, signal: stop, cache: 'no-store' })
  if (!response.ok || !response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let isFirst = true
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (!part.value.includes('data:')) continue
    // The first event reports the current state, which has just been loaded.
    if (!isFirst) reload()
    isFirst = false
  }
}

function pause(milliseconds: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    stop.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
