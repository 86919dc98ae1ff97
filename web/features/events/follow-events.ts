import { EVENTS_PATH } from '#contract/events.ts'
import type { Events } from '#contract/events.ts'
import { type PublicTopic, readNews } from './read-news.ts'

type Hear<T extends PublicTopic> = (news: Events[T] | undefined) => void
type Follower = { topic: PublicTopic; hear: Hear<never> }

/** Milliseconds. Delays the stream, so that it does not compete with the page load. */
const HEAD_START = 3000

/** Browsers limit connections: all subscribers of a page share one stream. */
const followers = new Set<Follower>()
let stream: EventSource | undefined
let followed = ''
let starting: ReturnType<typeof setTimeout> | undefined

/**
 * Subscribes to a topic until the returned function is called. The listener gets undefined when the stream is
 * lost. Paused while the page is hidden.
 */
export function followEvents<T extends PublicTopic>(topic: T, hear: Hear<T>): () => void {
  const follower: Follower = { topic, hear }
  followers.add(follower)
  if (followers.size === 1) document.addEventListener('visibilitychange', adjust)
  starting ??= setTimeout(adjust, HEAD_START)
  return () => {
    followers.delete(follower)
    if (followers.size > 0) return
    document.removeEventListener('visibilitychange', adjust)
    adjust()
  }
}

/** Opens a stream for exactly the subscribed topics; closes it when there are none or the page is hidden. */
function adjust(): void {
  clearTimeout(starting)
  starting = undefined
  const topics = document.hidden ? [] : [...new Set(Array.from(followers, ({ topic }) => topic))].toSorted()
  if (topics.join() === followed) return
  followed = topics.join()
  stream?.close()
  stream = topics.length > 0 ? openStream(topics) : undefined
}

function openStream(topics: readonly PublicTopic[]): EventSource {
  const opened = new EventSource(`${EVENTS_PATH}?topics=${topics.join()}`)
  for (const topic of topics)
    opened.addEventListener(topic, ({ data }: MessageEvent<string>) => tell(topic, readNews(topic, data)))
  opened.addEventListener('error', () => topics.forEach((topic) => tell(topic, undefined)))
  return opened
}

function tell(topic: PublicTopic, news: unknown): void {
  for (const follower of followers) if (follower.topic === topic) follower.hear(news as never)
}
