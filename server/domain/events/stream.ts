import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Events, Topic } from '#contract/events.ts'
import type { EventHub } from './hub.ts'

/** A client with more unread bytes is cut off. It reconnects and gets the current state. */
const MAX_BUFFERED_BYTES = 64 * 1024

/** A browser reconnects after a random time, which spreads reconnections after a restart. */
const RETRY_MS = { min: 2_000, max: 8_000 }

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Stops nginx from buffering events.
  'x-accel-buffering': 'no',
}

/** Only documents need these headers. While a stream is open, Node keeps them in memory. */
const PAGE_HEADERS = ['permissions-policy']

export type Stream = { body: StreamBody; ping(): void }

/**
 * Streams topics as server-sent events. Closing the hub ends the stream. Closing the stream unsubscribes.
 * @returns undefined once the hub is closed.
 */
export function openStream(hub: EventHub, topics: readonly Topic[]): Stream | undefined {
  const body = new StreamBody()
  const retry = Math.round(RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min))
  body.write(`retry: ${retry}\n\n`)
  const unsubscribe = hub.subscribe(topics, {
    onEvent: (topic, state) => body.write(asText(topic, state)),
    end: () => body.end(),
  })
  if (!unsubscribe) return undefined
  body.once('close', unsubscribe)
  return { body, ping: () => body.write(': ping\n\n') }
}

/**
 * Fastify pipes this body into the response. The body writes to it directly: a PassThrough and its pipe
 * would need a third more memory for each of thousands of idle listeners.
 */
class StreamBody extends EventEmitter {
  #response: ServerResponse | undefined
  /** Text from before there was a response. */
  #early = ''
  #isClosed = false

  write(text: string): void {
    if (this.#isClosed) return
    if (!this.#response) this.#early += text
    else if (this.#response.writableLength > MAX_BUFFERED_BYTES) this.destroy()
    else this.#response.write(text)
  }

  /** Called by Fastify once the headers are set. */
  pipe(response: ServerResponse): ServerResponse {
    this.#response = response
    for (const name of PAGE_HEADERS) response.removeHeader(name)
    if (this.#isClosed) response.end(this.#early)
    else response.write(this.#early)
    this.#early = ''
    return response
  }

  end(): void {
    this.#response?.end()
    this.#close()
  }

  /** Called by Fastify when the client disconnects. */
  destroy(): void {
    this.#response?.destroy()
    this.#close()
  }

  #close() {
    if (this.#isClosed) return
    this.#isClosed = true
    this.emit('close')
  }
}

const texts = new WeakMap<object, string>()

/** Each event is a new object, so its text is made once for all listeners. */
function asText(topic: Topic, state: Events[Topic]): string {
  const text = texts.get(state) ?? `event: ${topic}\ndata: ${JSON.stringify(state)}\n\n`
  texts.set(state, text)
  return text
}
