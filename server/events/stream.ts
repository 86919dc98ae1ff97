import { PassThrough, type Readable } from 'node:stream'
import type { Topic } from '#contract/events.ts'
import type { EventHub } from './hub.ts'

/** Bytes that a reader may be behind before it is cut; it comes back and hears the state anew. */
const BEHIND = 64 * 1024

/** Milliseconds until a browser comes back; spread, so that not all come back at once after a restart. */
const RETRY = { from: 2_000, to: 8_000 }

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would hold events back until its buffer is full.
  'x-accel-buffering': 'no',
}

export type Stream = { body: Readable; ping(): void }

/**
 * The news of some topics as server-sent events. It ends with the hub, and the hub is left when the
 * reader is gone.
 * @returns undefined once the hub is closed.
 */
export function openStream(hub: EventHub, topics: readonly Topic[]): Stream | undefined {
  const body = new PassThrough()
  const write = (text: string) => {
    if (body.writableLength + body.readableLength > BEHIND) body.destroy()
    else if (!body.writableEnded && !body.destroyed) body.write(text)
  }
  const retry = Math.round(RETRY.from + Math.random() * (RETRY.to - RETRY.from))
  write(`retry: ${retry}\n\n`)
  const leave = hub.subscribe(topics, {
    onEvent: (topic, state) => write(`event: ${topic}\ndata: ${JSON.stringify(state)}\n\n`),
    end: () => body.end(),
  })
  if (!leave) return undefined
  body.once('close', leave)
  return { body, ping: () => write(': ping\n\n') }
}
