import type { FastifyInstance } from 'fastify'
import { REPORTS_PATH } from './security-headers.ts'

const TYPES = ['application/reports+json', 'application/csp-report']
/** What a report may be about; anything else is a stranger's invention. */
const DIRECTIVES = new Set(
  (
    'base-uri child-src connect-src default-src font-src form-action frame-src img-src manifest-src media-src object-src ' +
    'require-trusted-types-for script-src script-src-attr script-src-elem style-src style-src-attr style-src-elem ' +
    'trusted-types worker-src'
  ).split(' '),
)
const MINUTE = 60_000

type Options = {
  /** Reports that are looked at in a minute; what comes beyond is answered and forgotten. */
  most?: number
  /** Milliseconds. */
  now?: () => number
}

/**
 * Takes the browsers' reports of what the content security policy stopped. Only the directive is kept, as an event and
 * a count: addresses and samples in a report may be personal, or made up.
 */
export function addCspReports(app: FastifyInstance, { most = 30, now = Date.now }: Options = {}) {
  let window = { ends: 0, left: 0 }
  const hasRoom = () => {
    if (now() >= window.ends) window = { ends: now() + MINUTE, left: most }
    return --window.left >= 0
  }
  // In a scope of its own: no other address takes these types.
  void app.register(async (scope) => {
    scope.addContentTypeParser(TYPES, { parseAs: 'string' }, (_request, body, done) => done(null, body))
    scope.post(REPORTS_PATH, async (request, reply) => {
      const directives = hasRoom() ? directivesIn(request.body) : []
      for (const directive of directives)
        request.events?.note({ event: 'policy', outcome: 'violated', directive })
      return reply.code(204).send()
    })
  })
}

const MOST_IN_ONE = 10

/** Each directive once, whichever of the two shapes the browser sends. */
function directivesIn(body: unknown): string[] {
  const reports = [parse(body)].flat().slice(0, MOST_IN_ONE)
  return [...new Set(reports.map(directiveOf))].filter((directive) => DIRECTIVES.has(directive))
}

function directiveOf(report: unknown): string {
  const { body, 'csp-report': older } = Object(report) as Record<string, unknown>
  const { effectiveDirective, ...named } = Object(body ?? older) as Record<string, unknown>
  const directive = effectiveDirective ?? named['effective-directive'] ?? named['violated-directive']
  return typeof directive === 'string' ? (directive.split(' ')[0] ?? '') : ''
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}
