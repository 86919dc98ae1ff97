import type { FastifyInstance, FastifyRequest } from 'fastify'
import { EVENTS_PATH, type Topic } from '#contract/events.ts'
import { networkOf, widestNetwork } from '#server/platform/limits/network.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'
import type { EventHub } from './hub.ts'
import { openStream, type Stream, STREAM_HEADERS } from './stream.ts'

type Options = {
  /** Beyond these limits, this node answers 204. */
  maxStreams?: number
  maxPerNetwork?: number
  /** Pings keep proxies from closing idle streams. */
  pingIntervalMs?: number
}

/** Serves `GET /api/v1/events?topics=slots,leaderboard` until the client disconnects or the node drains. */
export function addEvents(
  app: FastifyInstance,
  hub: EventHub,
  { maxStreams = 10_000, maxPerNetwork = 100, pingIntervalMs = 15_000 }: Options = {},
) {
  const streams = new Set<Stream>()
  const countByNetwork = new Map<string, number>()
  const pinging = setInterval(() => streams.forEach((stream) => stream.ping()), pingIntervalMs).unref()
  app.get(EVENTS_PATH, { exposeHeadRoute: false }, (request, reply) => {
    const topics = readTopics(request)
    const network = widestNetwork(networkOf(request.ip))
    const countOfNetwork = countByNetwork.get(network) ?? 0
    if (streams.size >= maxStreams || countOfNetwork >= maxPerNetwork)
      return reply.code(204).header('cache-control', 'no-store').send()
    const stream = openStream(hub, topics)
    if (!stream) throw refuse('unavailable', { retryAfter: 2 })
    streams.add(stream)
    countByNetwork.set(network, countOfNetwork + 1)
    stream.body.once('close', () => {
      streams.delete(stream)
      const left = (countByNetwork.get(network) ?? 1) - 1
      if (left > 0) countByNetwork.set(network, left)
      else countByNetwork.delete(network)
    })
    forgetHeaders(request)
    return reply.headers(STREAM_HEADERS).send(stream.body)
  })
  // Otherwise closing would wait for the open streams.
  app.addHook('preClose', async () => {
    clearInterval(pinging)
    hub.close()
  })
}

const PUBLIC_TOPICS: readonly Topic[] = ['heartbeat', 'slots', 'leaderboard', 'proofs']
const isPublicTopic = (name: string): name is Topic => (PUBLIC_TOPICS as readonly string[]).includes(name)

function readTopics(request: FastifyRequest): readonly Topic[] {
  const { topics, ...others } = request.query as Record<string, unknown>
  const [unknownField] = Object.keys(others)
  if (unknownField !== undefined) throw refuseField(unknownField, 'unknown_field')
  if (topics === undefined) return PUBLIC_TOPICS
  if (typeof topics !== 'string' || topics === '') throw refuseField('topics', 'required')
  const names = [...new Set(topics.split(','))]
  if (!names.every(isPublicTopic)) throw refuseField('topics', 'not_offered')
  return names
}

/** Frees two kilobytes, a browser's headers, while the stream is open. Nothing reads them any more. */
function forgetHeaders({ raw }: FastifyRequest) {
  raw.rawHeaders.length = 0
  raw.headers = {}
}
