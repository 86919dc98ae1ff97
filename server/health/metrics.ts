import { pid } from 'node:process'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { AlertCondition } from '#contract/dashboard/alerts.ts'
import type { PublicReads } from '../platform/database/public-reads.ts'
import type { PublicAnswers } from '../platform/http/public-answers/public-answers.ts'
import type { SecurityEvents } from '../platform/security-events.ts'
import { addCampaignGauges } from './campaign-gauges.ts'

type Measured = {
  pool: pg.Pool
  publicReads: PublicReads
  security: SecurityEvents
  publicAnswers: PublicAnswers
  campaignId: () => string
}

/** Metrics of this process for Prometheus. */
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
    // The duration of a stream is up to its client.
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return
    // The pattern, not the URL: callers must not be able to create new series.
    const route = request.routeOptions.url ?? 'none'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  publicAnswers.whenServed((exchange, ms) => durations.observe(exchange, ms / 1000))
  addPoolGauges(registry, pool)
  addPublicReads(registry, publicReads)
  addJobGauge(registry, pool)
  addTokenProofs(registry, pool)
  addAlerts(registry, pool)
  addCampaignGauges(registry, pool, campaignId)
  addSecurityEvents(registry, security)
  return registry
}

/** With WORKERS above 1, each scrape reaches one of several processes; this tells which. */
function addProcessId(registry: Registry) {
  const id = new Gauge({
    name: 'process_id',
    help: 'Id of the process that answered.',
    registers: [registry],
  })
  id.set(pid)
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
    help: 'Reads for public answers of this process, by the server that answered.',
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

type JobCount = { kind: string; state: string; jobs: number }

function addJobGauge(registry: Registry, pool: pg.Pool) {
  const jobs = new Gauge({
    name: 'jobs',
    help: 'Queued (waiting) and abandoned (dead) jobs by kind, across all nodes.',
    labelNames: ['kind', 'state'] as const,
    registers: [registry],
    async collect() {
      jobs.reset()
      // Without the database the other metrics are still served, and this one has no value.
      const counts = await countJobs(pool).catch(() => [])
      for (const { kind, state, jobs: count } of counts) jobs.set({ kind, state }, count)
    },
  })
}

function addAlerts(registry: Registry, pool: pg.Pool) {
  const alerts = new Gauge({
    name: 'alerts',
    help: 'What is wrong with the deployment, by condition; what administrators are emailed about.',
    labelNames: ['condition'] as const,
    registers: [registry],
    async collect() {
      alerts.reset()
      const current = await pool
        .query<{ condition: string; count: number }>(
          'select condition, count(*) from alerts where cleared_at is null group by condition',
        )
        .catch(() => undefined)
      // Without the database nothing is known: zeros would say that all is well.
      if (!current) return
      for (const condition of AlertCondition.options) alerts.set({ condition }, 0)
      for (const { condition, count } of current.rows) alerts.set({ condition }, count)
    },
  })
}

type ProofAge = { claim: string; verdict: string; age: number }

function addTokenProofs(registry: Registry, pool: pg.Pool) {
  const ages = new Gauge({
    name: 'token_proof_age_seconds',
    help: 'Time since the last check of the token that came to a verdict, by claim and that verdict.',
    labelNames: ['claim', 'verdict'] as const,
    registers: [registry],
    async collect() {
      ages.reset()
      const { rows } = await pool.query<ProofAge>(PROOF_AGES).catch(() => ({ rows: [] }))
      for (const { claim, verdict, age } of rows) ages.set({ claim, verdict }, age)
    },
  })
}

/** Only of the token that was checked last: an earlier campaign file may have named another one. */
const PROOF_AGES = `
  select claim, conclusion->>'verdict' as verdict, extract(epoch from now() - concluded_at)::float8 as age
  from token_proofs where conclusion is not null
    and token = (select token from token_checks order by asked_at desc, token limit 1)`

/** Reads only the indexes `jobs_due` and `jobs_dead`. */
export async function countJobs(pool: pg.Pool): Promise<JobCount[]> {
  const { rows } = await pool.query<JobCount>(
    // A kind with an id, such as that of a webhook, counts as its first word.
    `select split_part(kind, ' ', 1) as kind, 'waiting' as state, count(*) as jobs from jobs
     where done_at is null and dead_at is null group by 1
     union all select split_part(kind, ' ', 1), 'dead', count(*) from jobs where dead_at is not null group by 1`,
  )
  return rows
}
