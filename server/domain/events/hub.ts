import { isDeepStrictEqual } from 'node:util'
import type { Events, Topic } from '#contract/events.ts'

/**
 * Starts to watch a topic: publishes its state as soon as it is known and whenever it may have changed.
 * @returns a stop function, after which nothing is published.
 */
export type Source<T> = (publish: (state: T) => void) => () => void
export type Sources = { readonly [T in Topic]: Source<Events[T]> }

export type Listener = {
  onEvent(topic: Topic, state: Events[Topic]): void
  /** No more events follow, because the node is shutting down. */
  end(): void
}

export type EventHub = {
  /**
   * Sends the listener the state of each topic as soon as it is known, then every change.
   * @returns an unsubscribe function; undefined once the hub is closed.
   */
  subscribe(topics: readonly Topic[], listener: Listener): (() => void) | undefined
  /** Calls back at every change, before the listeners get it. Does not start a source. */
  beforePublishing(callback: (topic: Topic) => void): void
  /** Ends every listener and stops every source. */
  close(): void
}

/** A source outlives its last listener by this time: a visitor who opens another page is back soon. */
const LINGER_MS = 10_000

/** A source runs only while its topic has listeners. */
export function createEventHub(sources: Sources, { lingerMs = LINGER_MS } = {}): EventHub {
  const listeners = new Set<Listener>()
  const callbacks: ((topic: Topic) => void)[] = []
  const notifyCallbacks = (topic: Topic) => callbacks.forEach((callback) => callback(topic))
  const options = { lingerMs, notifyCallbacks }
  const channels: { readonly [T in Topic]: Channel } = {
    heartbeat: createChannel('heartbeat', sources.heartbeat, options),
    slots: createChannel('slots', sources.slots, options),
    leaderboard: createChannel('leaderboard', sources.leaderboard, options),
    proofs: createChannel('proofs', sources.proofs, options),
    claims: createChannel('claims', sources.claims, options),
  }
  let isClosed = false
  return {
    beforePublishing: (callback) => callbacks.push(callback),
    subscribe(topics, listener) {
      if (isClosed) return undefined
      listeners.add(listener)
      topics.forEach((topic) => channels[topic].add(listener))
      return () => {
        listeners.delete(listener)
        topics.forEach((topic) => channels[topic].remove(listener))
      }
    },
    close() {
      isClosed = true
      for (const listener of listeners) listener.end()
      listeners.clear()
      Object.values(channels).forEach((channel) => channel.close())
    },
  }
}

type Options = { lingerMs: number; notifyCallbacks: (topic: Topic) => void }
type Channel = { add(listener: Listener): void; remove(listener: Listener): void; close(): void }

function createChannel<T extends Topic>(
  topic: T,
  source: Source<Events[T]>,
  { lingerMs, notifyCallbacks }: Options,
): Channel {
  const listeners = new Set<Listener>()
  let state: Events[T] | undefined
  let stop: (() => void) | undefined
  let lingering: NodeJS.Timeout | undefined
  const publish = (next: Events[T]) => {
    if (isDeepStrictEqual(next, state)) return
    state = next
    notifyCallbacks(topic)
    for (const listener of listeners) listener.onEvent(topic, next)
  }
  const close = () => {
    clearTimeout(lingering)
    stop?.()
    stop = undefined
    // The next listener must not get an old state.
    state = undefined
  }
  return {
    add(listener) {
      clearTimeout(lingering)
      listeners.add(listener)
      if (state !== undefined) listener.onEvent(topic, state)
      stop ??= source(publish)
    },
    remove(listener) {
      if (!listeners.delete(listener) || listeners.size > 0) return
      lingering = setTimeout(close, lingerMs).unref()
    },
    close,
  }
}
