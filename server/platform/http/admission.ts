import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createFairQueue, type QueueLimits } from '../fair-queue.ts'
import { networkOf, widestNetwork } from './network.ts'

/**
 * Requests under way at once, of all and of one network; those that wait, and for how long (milliseconds).
 * A village behind one address is slower under load, never shut out: its requests wait for each other.
 */
const LIMITS: QueueLimits = {
  atOnce: 128,
  atOnceEach: 6,
  waiting: 5_000,
  waitingEach: 1_000,
  patience: 5_000,
}

declare module 'fastify' {
  interface FastifyContextConfig {
    lane?: string
  }
}

type Options = Partial<QueueLimits> & {
  /** Asked by machines: these never wait. */
  exempt: (request: FastifyRequest) => boolean
}

/**
 * Lets requests in by turns of their networks, so that many connections of one network slow only each other.
 * A place is taken once the request is read and left when its answer is made: whoever sends or reads slowly holds
 * none, and neither does an open stream.
 */
export function admitInTurn(app: FastifyInstance, { exempt, ...limits }: Options) {
  const queue = createFairQueue({ ...LIMITS, ...limits })
  const places = new WeakMap<FastifyRequest, () => void>()
  const leave = async (request: FastifyRequest) => places.get(request)?.()
  app.addHook('preHandler', async (request, reply) => {
    // Also asked for once more where a route finds that it has nothing.
    if (exempt(request) || places.has(request)) return
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    try {
      places.set(request, await queue.enter(turnOf(request), gone.signal))
    } catch (error) {
      if (!gone.signal.aborted) throw error
      // Nobody is left to be answered.
      reply.hijack()
    }
  })
  app.addHook('onSend', leave)
  app.addHook('onResponse', leave)
}

/**
 * Pages come from memory: they are counted apart, so that calls which wait for the database do not hold them up.
 * A route with slow work of another kind names a lane of its own.
 */
function turnOf(request: FastifyRequest) {
  const lane = request.routeOptions.config.lane ?? (request.url.startsWith('/api/') ? 'calls' : 'pages')
  return { lane, caller: `${widestNetwork(networkOf(request.ip))} ${lane}` }
}
