import { pid } from 'node:process'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { PublicReads } from '../platform/database/public-reads.ts'
import type { PublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import type { SecurityEvents } from '../platform/log/security-events.ts'
import { addDatabaseGauges } from './database-gauges.ts'

export type Measured = {
  pool: pg.Pool
  publicReads: PublicReads
  security: SecurityEvents
  publicAnswers: PublicAnswers
  campaignId: () => string
}

export function createMetrics(app: FastifyInstance, measured: Measured): Registry {
  const { pool, publicReads, security, publicAnswers, campaignId } = measured
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addProcessId(registry)
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    // A stream lasts until its client ends it.
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return
    // The pattern, not the URL: callers must not be able to create new series.
    const route = request.routeOptions.url ?? 'none'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  // Answers from memory bypass the hooks.
  publicAnswers.whenServed((exchange, ms) => durations.observe(exchange, ms / 1000))
  addPoolGauges(registry, pool)
  addPublicReads(registry, publicReads)
  addDatabaseGauges(registry, pool, campaignId)
  addSecurityEvents(registry, security)
  return registry
}

/** Tells which of several processes (WORKERS) a scrape has reached. */
function addProcessId(registry: Registry) {
  new Gauge({ name: 'process_id', help: 'Id of the process that answered.', registers: [registry] }).set(pid)
}

function addPoolGauges(registry: Registry, pool: pg.Pool) {
  const connections = new Gauge({
    name: 'database_connections',
    help: 'Database connections of this process, and requests waiting for one.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      connections.set({ state: 'open' }, pool.totalCount)
      connections.set({ state: 'idle' }, pool.idleCount)
      connections.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
}

function addPublicReads(registry: Registry, publicReads: PublicReads) {
  const reads = new Counter({
    name: 'public_reads_total',
    help: 'Reads for public answers of this process, by the database server that answered.',
    labelNames: ['server'] as const,
    registers: [registry],
    collect() {
      reads.reset()
      for (const [server, count] of Object.entries(publicReads.counts())) reads.inc({ server }, count)
    },
  })
}

function addSecurityEvents(registry: Registry, security: SecurityEvents) {
  const events = new Counter({
    name: 'security_events_total',
    help: 'Logins, codes, passwords, limits and mails, by outcome: as many as the log of this process has lines with that event.',
    labelNames: ['event', 'outcome'] as const,
    registers: [registry],
    collect() {
      events.reset()
      for (const { event, outcome, count } of security.counts()) events.inc({ event, outcome }, count)
    },
  })
}
