import type { FastifyInstance } from 'fastify'
import { REVIEW_EVENTS_PATH } from '#contract/dashboard/review.ts'
import type { EventHub } from '../events/hub.ts'
import { openStream, type Stream, STREAM_HEADERS } from '../events/stream.ts'
import { type Credentials, credentialsOf } from '#server/platform/http/security/credentials.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { refuse, refuseField } from '#server/platform/refusal.ts'

type Options = {
  /** Authenticates without extending the session. */
  readCaller: (credentials: Credentials) => Promise<Caller | undefined>
  isHttps: boolean
  /** The most streams on this node. Above it or `maxPerAdministrator`, the reply is 204: the client polls. */
  maxStreams?: number
  maxPerAdministrator?: number
  /** Time (ms) between keep-alive comments, which only readers who are still administrators get. */
  pingIntervalMs?: number
}

type Reader = { userId: string; credentials: Credentials }

/** Serves `GET /api/v1/review/events`: a stream of changed claims for administrators. */
export function addReviewEvents(
  app: FastifyInstance,
  hub: EventHub,
  { readCaller, isHttps, maxStreams = 100, maxPerAdministrator = 10, pingIntervalMs = 15_000 }: Options,
) {
  const streams = new Map<Stream, Reader>()
  const pingOrEnd = async (stream: Stream, { credentials }: Reader) => {
    // While the database is unreachable, streams stay open.
    const caller = await readCaller(credentials).catch(() => 'unknown' as const)
    if (caller === 'unknown' || (caller?.role === 'admin' && !caller.lacksSecondFactor)) stream.ping()
    else stream.body.destroy()
  }
  const pinging = setInterval(
    () => streams.forEach((reader, stream) => void pingOrEnd(stream, reader)),
    pingIntervalMs,
  ).unref()
  app.get(REVIEW_EVENTS_PATH, { exposeHeadRoute: false }, async (request, reply) => {
    const credentials = credentialsOf(request, isHttps)
    const caller = await readCaller(credentials)
    if (!caller) throw refuse('unauthenticated')
    if (caller.role !== 'admin') throw refuse('forbidden')
    if (caller.lacksSecondFactor) throw refuse('two_factor_needed')
    const [unknownField] = Object.keys(request.query as object)
    if (unknownField !== undefined) throw refuseField(unknownField, 'unknown_field')
    const { userId } = caller
    const ownStreams = [...streams.values()].filter((reader) => reader.userId === userId)
    if (streams.size >= maxStreams || ownStreams.length >= maxPerAdministrator)
      return reply.code(204).header('cache-control', 'no-store').send()
    const stream = openStream(hub, ['claims'])
    if (!stream) throw refuse('unavailable', { retryAfter: 2 })
    streams.set(stream, { userId, credentials })
    stream.body.once('close', () => streams.delete(stream))
    return reply.headers(STREAM_HEADERS).send(stream.body)
  })
  app.addHook('preClose', async () => clearInterval(pinging))
}
