import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isFromThisMachine } from '../platform/http/security/loopback.ts'
import type { Probe } from '../platform/database/probe.ts'
import { refuse } from '../platform/refusal.ts'
import { hashToken } from '../platform/secrets.ts'
import { createMetrics, type Measured } from './metrics.ts'

type Health = Measured & {
  probe: Probe
  isDraining: () => boolean
  /** Undefined when METRICS_TOKEN is not set. */
  metricsToken: string | undefined
}

export function addHealth(app: FastifyInstance, { probe, isDraining, metricsToken, ...measured }: Health) {
  const metrics = createMetrics(app, measured)
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isDraining() || !(await probe.answers())) throw refuse('unavailable', { retryAfter: 1 })
    return reply.send({ status: 'ready' })
  })
  app.get('/metrics', async (request, reply) => {
    // To everyone else, the endpoint seems not to exist.
    if (!canReadMetrics(request, metricsToken)) throw refuse('not_found')
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.metrics())
  })
}

function canReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) {
    const sent = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    return timingSafeEqual(hashToken(sent), hashToken(token))
  }
  return isFromThisMachine(request)
}
