import { PassThrough, type Readable } from 'node:stream'
import type { Topic } from '#contract/events.ts'
import type { EventHub } from './hub.ts'

/** Bytes buffered for a slow reader before its stream is cut; it reconnects and gets the current state. */
const MAX_BUFFERED = 64 * 1024

/** Milliseconds until a browser reconnects; random, to spread reconnections after a restart. */
const RETRY = { from: 2_000, to: 8_000 }

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Stops nginx from buffering events.
  'x-accel-buffering': 'no',
}

export type Stream = { body: Readable; ping(): void }

/**
 * Streams topics as server-sent events. Closing the hub ends the stream; closing the stream unsubscribes.
 * @returns undefined once the hub is closed.
 */
export function openStream(hub: EventHub, topics: readonly Topic[]): Stream | undefined {
  const body = new PassThrough()
  const write = (text: string) => {
    if (body.writableLength + body.readableLength > MAX_BUFFERED) body.destroy()
    else if (!body.writableEnded && !body.destroyed) body.write(text)
  }
  const retry = Math.round(RETRY.from + Math.random() * (RETRY.to - RETRY.from))
  write(`retry: ${retry}\n\n`)
  const unsubscribe = hub.subscribe(topics, {
    onEvent: (topic, state) => write(`event: ${topic}\ndata: ${JSON.stringify(state)}\n\n`),
    end: () => body.end(),
  })
  if (!unsubscribe) return undefined
  body.once('close', unsubscribe)
  return { body, ping: () => write(': ping\n\n') }
}
