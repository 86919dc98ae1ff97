import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type pg from 'pg'
import type { Probe } from '../platform/probe.ts'
import { refuse } from '../platform/refusal.ts'
import { hashToken } from '../platform/secrets.ts'
import { createMetrics } from './metrics.ts'

type Health = { pool: pg.Pool; probe: Probe; isDraining: () => boolean; metricsToken: string | undefined }

/** For the machines around: does the process live, may it get visitors, what does it measure. */
export function addHealth(app: FastifyInstance, { pool, probe, isDraining, metricsToken }: Health) {
  const metrics = createMetrics(app, pool)
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isDraining() || !(await probe.answers())) throw refuse('unavailable', { retryAfter: 1 })
    return reply.send({ status: 'ready' })
  })
  app.get('/metrics', async (request, reply) => {
    // To everybody else there is nothing here.
    if (!mayRead(request, metricsToken)) throw refuse('not_found')
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.metrics())
  })
}

const FORWARDING = /^(forwarded|via|x-real-ip|x-client-ip|true-client-ip|x-forwarded-.*|cf-connecting-ip)$/

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
    return timingSafeEqual(hashToken(given), hashToken(token))
  }
  // A proxy on this machine is a loopback peer too, and who is behind it is not.
  const isForwarded = Object.keys(request.headers).some((name) => FORWARDING.test(name))
  const peer = request.socket.remoteAddress ?? ''
  return !isForwarded && ipaddr.isValid(peer) && ipaddr.process(peer).range() === 'loopback'
}
