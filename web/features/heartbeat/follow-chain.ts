import { EVENTS_PATH } from '#contract/events.ts'
import type { Events } from '#contract/events.ts'

const STREAM = `${EVENTS_PATH}?topics=heartbeat`
type Hear = (block: number | null | undefined) => void

/** Milliseconds. The stream is not among what a page needs, so it lets everything else come first. */
const HEAD_START = 3000

/**
 * Tells the number of each new block, null while the chain cannot be reached, and undefined while we cannot
 * tell, until the returned function is called. Hears nothing while the page is hidden: a browser has few
 * connections to spare.
 */
export function followChain(hear: Hear): () => void {
  let stream: EventSource | undefined
  const adjust = () => {
    if (document.hidden) {
      stream?.close()
      stream = undefined
    } else stream ??= openStream(hear)
  }
  const starting = setTimeout(() => {
    document.addEventListener('visibilitychange', adjust)
    adjust()
  }, HEAD_START)
  return () => {
    clearTimeout(starting)
    document.removeEventListener('visibilitychange', adjust)
    stream?.close()
  }
}

function openStream(hear: Hear): EventSource {
  const stream = new EventSource(STREAM)
  stream.addEventListener('heartbeat', ({ data }: MessageEvent<string>) => {
    hear((JSON.parse(data) as Events['heartbeat']).block)
  })
  stream.addEventListener('error', () => hear(undefined))
  return stream
}
