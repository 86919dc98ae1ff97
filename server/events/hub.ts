import { isDeepStrictEqual } from 'node:util'
import type { Events, Topic } from '#contract/events.ts'

/**
 * Where a topic's news come from: begins to watch, tells the state at once and whenever it may have
 * changed, and returns how to stop.
 */
export type Source<T> = (tell: (state: T) => void) => () => void
export type Sources = { readonly [T in Topic]: Source<Events[T]> }

export type Listener = {
  onEvent(topic: Topic, state: Events[Topic]): void
  /** Nothing more will be heard: the node is leaving. */
  end(): void
}

export type EventHub = {
  /**
   * Tells the listener the state of each topic as soon as it is known, then every change.
   * @returns how to leave; undefined once the hub is closed.
   */
  subscribe(topics: readonly Topic[], listener: Listener): (() => void) | undefined
  /** Calls back whenever a topic changed, before any listener hears it; starts no source. */
  beforePublishing(hear: () => void): void
  /** Ends every listener and stops every source. */
  close(): void
}

/** A source goes on this long (milliseconds) after its last listener left: people who turn a page come back. */
const LINGER = 10_000

/** Passes news from sources to listeners. A source works only while somebody listens to its topic. */
export function createEventHub(sources: Sources, { linger = LINGER } = {}): EventHub {
  const listeners = new Set<Listener>()
  const first: (() => void)[] = []
  const before = () => first.forEach((hear) => hear())
  const topics: { readonly [T in Topic]: Channel } = {
    heartbeat: createChannel('heartbeat', sources.heartbeat, { linger, before }),
    slots: createChannel('slots', sources.slots, { linger, before }),
    leaderboard: createChannel('leaderboard', sources.leaderboard, { linger, before }),
    claims: createChannel('claims', sources.claims, { linger, before }),
  }
  let closed = false
  return {
    beforePublishing: (hear) => first.push(hear),
    subscribe(wanted, listener) {
      if (closed) return undefined
      listeners.add(listener)
      wanted.forEach((topic) => topics[topic].join(listener))
      return () => {
        listeners.delete(listener)
        wanted.forEach((topic) => topics[topic].leave(listener))
      }
    },
    close() {
      closed = true
      for (const listener of listeners) listener.end()
      listeners.clear()
      Object.values(topics).forEach((channel) => channel.close())
    },
  }
}

type Manner = { linger: number; before: () => void }
type Channel = { join(listener: Listener): void; leave(listener: Listener): void; close(): void }

function createChannel<T extends Topic>(
  topic: T,
  source: Source<Events[T]>,
  { linger, before }: Manner,
): Channel {
  const listeners = new Set<Listener>()
  let state: Events[T] | undefined
  let stop: (() => void) | undefined
  let goodbye: NodeJS.Timeout | undefined
  const tell = (news: Events[T]) => {
    if (isDeepStrictEqual(news, state)) return
    state = news
    before()
    for (const listener of listeners) listener.onEvent(topic, news)
  }
  const close = () => {
    clearTimeout(goodbye)
    stop?.()
    stop = undefined
    // What is not watched may change: the next listener must not hear it as the state.
    state = undefined
  }
  return {
    join(listener) {
      clearTimeout(goodbye)
      listeners.add(listener)
      if (state !== undefined) listener.onEvent(topic, state)
      stop ??= source(tell)
    },
    leave(listener) {
      if (!listeners.delete(listener) || listeners.size > 0) return
      goodbye = setTimeout(close, linger).unref()
    },
    close,
  }
}
