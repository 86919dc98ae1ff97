import { EVENTS_PATH, type Events } from '#contract/events.ts'

/** The topics of pages and screens. None needs `proofs`, and reviewers get `claims` from another stream. */
type SubscribedTopic = Exclude<keyof Events, 'claims' | 'proofs'>

type Listener<T extends SubscribedTopic> = (data: Events[T] | undefined) => void
type Subscriber = { topic: SubscribedTopic; listener: Listener<never> }

/** Keeps the stream from competing with the page load. */
const START_DELAY_MS = 3_000
/** The average delay before a stream that was refused is opened again. */
const REOPEN_MS = 60_000

/** All subscribers of a page share one stream, because browsers limit connections. */
const subscribers = new Set<Subscriber>()
let stream: EventSource | undefined
let openTopics = ''
let startTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Subscribes to a topic. The subscription pauses while the page is hidden. The listener gets undefined when
 * the stream is lost or an event is malformed.
 * @returns a function that unsubscribes.
 */
export function subscribeToEvents<T extends SubscribedTopic>(topic: T, listener: Listener<T>): () => void {
  const subscriber: Subscriber = { topic, listener }
  subscribers.add(subscriber)
  if (subscribers.size === 1) document.addEventListener('visibilitychange', updateStream)
  startTimer ??= setTimeout(updateStream, START_DELAY_MS)
  return () => {
    subscribers.delete(subscriber)
    // Until the stream is replaced, it may include topics that no one needs any more.
    if (subscribers.size > 0) return
    document.removeEventListener('visibilitychange', updateStream)
    updateStream()
  }
}

/** Replaces the stream if its topics are not those of the subscribers. A hidden page has no stream. */
function updateStream(): void {
  clearTimeout(startTimer)
  startTimer = undefined
  const topics = document.hidden ? [] : [...new Set(Array.from(subscribers, ({ topic }) => topic))].toSorted()
  if (topics.join() === openTopics) return
  openTopics = topics.join()
  stream?.close()
  stream = topics.length > 0 ? openStream(topics) : undefined
}

function openStream(topics: readonly SubscribedTopic[]): EventSource {
  const source = new EventSource(`${EVENTS_PATH}?topics=${topics.join()}`)
  for (const topic of topics)
    source.addEventListener(topic, ({ data }: MessageEvent<string>) => notify(topic, parseEvent(topic, data)))
  source.addEventListener('error', () => {
    for (const topic of topics) notify(topic, undefined)
    if (source.readyState === EventSource.CLOSED) reopenLater(source)
  })
  return source
}

/**
 * A browser reconnects to a stream that broke off, but not to one that was refused: by a node that is
 * stopping or has too many streams, or by a proxy while the server restarts. The delay is random, so that not
 * everyone comes back at once.
 */
function reopenLater(refused: EventSource): void {
  if (refused !== stream) return
  stream = undefined
  openTopics = ''
  startTimer ??= setTimeout(updateStream, REOPEN_MS * (0.5 + Math.random()))
}

function notify(topic: SubscribedTopic, data: unknown): void {
  for (const subscriber of subscribers) if (subscriber.topic === topic) subscriber.listener(data as never)
}

function parseEvent(topic: SubscribedTopic, data: string): unknown {
  try {
    const event: unknown = JSON.parse(data)
    // `Object` turns every JSON value into one with fields, which may be missing.
    return IS_VALID[topic](Object(event) as Record<string, unknown>) ? event : undefined
  } catch {
    return undefined
  }
}

/** Checks only the fields that screens use. */
const IS_VALID: Record<SubscribedTopic, (event: Record<string, unknown>) => boolean> = {
  heartbeat: ({ block }) => block === null || isCount(block),
  slots: ({ total, left, isPaused }) => isCount(total) && isCount(left) && typeof isPaused === 'boolean',
  leaderboard: ({ version }) => isCount(version),
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0
