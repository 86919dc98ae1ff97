import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EVENTS_PATH, type Topic } from '#contract/events.ts'
import { networkOf, widestNetwork } from '../platform/http/network.ts'
import { refuse, refuseField } from '../platform/refusal.ts'
import type { EventHub } from './hub.ts'
import { openStream, type Stream, STREAM_HEADERS } from './stream.ts'

type Options = {
  /** Open streams on this node, and of one network; over it the answer is 204, and clients poll. */
  cap?: number
  capEach?: number
  /** Milliseconds between comments that keep proxies from closing a quiet stream. */
  pingEvery?: number
}

/** Serves `GET /api/v1/events?topics=slots,leaderboard`: a stream that ends when the client or the node leaves. */
export function addEvents(
  app: FastifyInstance,
  hub: EventHub,
  { cap = 1_000, capEach = 100, pingEvery = 15_000 }: Options = {},
) {
  const streams = new Map<Stream, string>()
  const pinging = setInterval(() => streams.forEach((_network, stream) => stream.ping()), pingEvery).unref()
  app.get(EVENTS_PATH, { exposeHeadRoute: false }, (request, reply) => {
    const topics = readTopics(request)
    const network = widestNetwork(networkOf(request.ip))
    const own = streams.values().filter((other) => other === network)
    if (streams.size >= cap || [...own].length >= capEach)
      return reply.code(204).header('cache-control', 'no-store').send()
    const stream = openStream(hub, topics)
    if (!stream) throw refuse('unavailable', { retryAfter: 2 })
    streams.set(stream, network)
    stream.body.once('close', () => streams.delete(stream))
    return reply.headers(STREAM_HEADERS).send(stream.body)
  })
  // Before Fastify waits for the requests under way: these would never end by themselves.
  app.addHook('preClose', async () => {
    clearInterval(pinging)
    hub.close()
  })
}

/** Those that everybody may hear. */
const TOPICS: readonly Topic[] = ['heartbeat', 'slots', 'leaderboard']
const isTopic = (name: string): name is Topic => (TOPICS as readonly string[]).includes(name)

/** All of them when the call names none. */
function readTopics(request: FastifyRequest): readonly Topic[] {
  const { topics, ...others } = request.query as Record<string, unknown>
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw refuseField(unknown, 'unknown_field')
  if (topics === undefined) return TOPICS
  if (typeof topics !== 'string' || topics === '') throw refuseField('topics', 'required')
  const names = [...new Set(topics.split(','))]
  if (!names.every(isTopic)) throw refuseField('topics', 'not_offered')
  return names
}
