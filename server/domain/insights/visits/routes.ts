import type { FastifyInstance, FastifyRequest } from 'fastify'
import { VISITS_PATH, type View } from '#contract/visits.ts'
import { countedNetworks } from '#server/platform/limits/network.ts'
import type { VisitCounter } from './counter.ts'

const MINUTE_MS = 60_000
/** Per network. High, because thousands of a carrier's customers may share a network. */
const VIEWS_PER_MINUTE = 600
/** Networks in memory. In a minute with more, views from the others do not count. */
const MAX_NETWORKS = 100_000

/** User agents of programs that name themselves. Other programs count like people. */
const PROGRAM =
  /bot\b|bot[/;_-]|crawl|spider|slurp|preview|headless|lighthouse|monitor|uptime|facebookexternalhit|curl\/|wget\/|python|node-fetch|axios|okhttp|go-http|java\//i

/**
 * Receives the views of pages. Stores nothing about the caller. To limit views, keeps the number of views per
 * network in memory for a minute.
 */
export function addVisits(
  app: FastifyInstance,
  counter: Pick<VisitCounter, 'count'>,
  { viewsPerMinute = VIEWS_PER_MINUTE } = {},
): void {
  const admitView = createLimiter(viewsPerMinute)
  app.post(VISITS_PATH, async (request, reply) => {
    const view = readView(request.body)
    if (view && isCountable(request) && admitView(request.ip)) counter.count(view)
    return reply.code(204).send()
  })
}

/** Excludes programs, prefetches and visitors who opt out (DNT, GPC). */
function isCountable({ headers }: FastifyRequest): boolean {
  const agent = headers['user-agent'] ?? ''
  const purpose = String(headers['sec-purpose'] ?? headers['purpose'] ?? '')
  return (
    headers.dnt !== '1' &&
    headers['sec-gpc'] !== '1' &&
    !purpose.includes('prefetch') &&
    agent !== '' &&
    !PROGRAM.test(agent)
  )
}

function readView(body: unknown): View | undefined {
  const { page, arrival } = Object(body) as Record<string, unknown> // The body may be missing.
  if (typeof page !== 'string') return undefined
  return typeof arrival === 'string' ? { page, arrival } : { page }
}

/** Limits each network of an address, a wide one by a multiple. @returns whether to count a view. */
function createLimiter(viewsPerMinute: number): (ip: string) => boolean {
  let minuteEndsAt = 0
  let counts = new Map<string, number>()
  return (ip) => {
    const now = performance.now()
    if (now >= minuteEndsAt) {
      minuteEndsAt = now + MINUTE_MS
      counts = new Map()
    }
    return countedNetworks(ip).every(({ network, factor }) => {
      const count = counts.get(network) ?? 0
      if (count >= viewsPerMinute * factor || (count === 0 && counts.size >= MAX_NETWORKS)) return false
      counts.set(network, count + 1)
      return true
    })
  }
}
