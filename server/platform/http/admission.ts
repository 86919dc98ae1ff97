import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createFairQueue, type QueueLimits } from '../limits/fair-queue.ts'
import type { OverloadChange } from '../limits/overload.ts'
import { networkOf, widestNetwork } from '../limits/network.ts'
import type { Turn } from '../limits/turn.ts'

/** The queues are long: under load, the requests of many people behind one address shall wait, not fail. */
const LIMITS: QueueLimits = {
  concurrency: 64,
  concurrencyPerCaller: 6,
  maxWaiting: 5_000,
  maxWaitingPerCaller: 1_000,
  timeoutMs: 5_000,
}

declare module 'fastify' {
  interface FastifyInstance {
    hasWaitingRequests: () => boolean
  }
  interface FastifyContextConfig {
    /** The kind of work that the fair queue takes a request for. */
    lane?: string
  }
}

type Options = Partial<QueueLimits> & {
  /** Health checks and metrics never wait. */
  isExempt: (request: FastifyRequest) => boolean
}

/**
 * Limits concurrent requests with a fair queue by network, so that a busy network slows only itself. A permit
 * is held from the arrival of the body until the reply is ready: slow clients and open streams hold none.
 */
export function addAdmissionControl(app: FastifyInstance, { isExempt, ...overrides }: Options) {
  const queue = createFairQueue({ ...LIMITS, onOverload: logOverload(app.log), ...overrides })
  app.decorate('hasWaitingRequests', () => queue.hasWaiting())
  const permits = new WeakMap<FastifyRequest, () => void>()
  const releasePermit = async (request: FastifyRequest) => permits.get(request)?.()
  app.addHook('preHandler', async (request, reply) => {
    // The hook runs again when a route calls callNotFound.
    if (isExempt(request) || permits.has(request)) return
    const turn = turnOf(request)
    const release = queue.tryEnter(turn)
    if (release) permits.set(request, release)
    else await waitInTurn(request, reply, turn)
  })
  async function waitInTurn(request: FastifyRequest, reply: FastifyReply, turn: Turn) {
    // The client disconnected during an earlier hook, so no 'close' will be emitted.
    if (reply.raw.destroyed) return void reply.hijack()
    const gone = new AbortController()
    const leave = () => gone.abort()
    reply.raw.once('close', leave)
    try {
      permits.set(request, await queue.enter(turn, gone.signal))
    } catch (error) {
      if (!gone.signal.aborted) throw error
      reply.hijack()
    } finally {
      reply.raw.off('close', leave)
    }
  }
  app.addHook('onSend', releasePermit)
  app.addHook('onResponse', releasePermit)
}

/** Logs two lines for each overload instead of one for each refused request. */
const logOverload =
  (log: FastifyBaseLogger) =>
  (change: OverloadChange): void => {
    if (change === 'begun') log.warn('overloaded: refusing requests that have waited too long')
    else log.warn(change, 'no longer overloaded')
  }

/**
 * Pages are served from memory, so they have a lane of their own and need not queue behind calls. A network
 * counts as a separate caller in each lane, so that its calls leave permits for its pages. A slow route may
 * name its own lane.
 */
function turnOf(request: FastifyRequest) {
  const lane = request.routeOptions.config.lane ?? (request.url.startsWith('/api/') ? 'calls' : 'pages')
  return { lane, caller: `${widestNetwork(networkOf(request.ip))} ${lane}` }
}
