import { EVENTS_PATH } from '#contract/events.ts'
import type { Events } from '#contract/events.ts'

/** What anybody may follow. */
type PublicTopic = Exclude<keyof Events, 'claims'>
type Hear<T extends PublicTopic> = (news: Events[T] | undefined) => void

/** Milliseconds. The stream is not among what a page needs, so it lets everything else come first. */
const HEAD_START = 3000

/**
 * Tells the news of a topic, and undefined while we cannot tell, until the returned function is called. Hears
 * nothing while the page is hidden: a browser has few connections to spare.
 */
export function followEvents<T extends PublicTopic>(topic: T, hear: Hear<T>): () => void {
  let stream: EventSource | undefined
  const adjust = () => {
    if (document.hidden) {
      stream?.close()
      stream = undefined
    } else stream ??= openStream(topic, hear)
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

function openStream<T extends PublicTopic>(topic: T, hear: Hear<T>): EventSource {
  const stream = new EventSource(`${EVENTS_PATH}?topics=${topic}`)
  stream.addEventListener(topic, ({ data }: MessageEvent<string>) => hear(JSON.parse(data) as Events[T]))
  stream.addEventListener('error', () => hear(undefined))
  return stream
}
