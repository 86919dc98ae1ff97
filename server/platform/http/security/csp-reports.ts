import type { FastifyInstance } from 'fastify'
import { REPORTS_PATH } from './security-headers.ts'

const REPORT_TYPES = ['application/reports+json', 'application/csp-report']
/** Known directives; reports with any other are ignored. */
const DIRECTIVES = new Set(
  (
    'base-uri child-src connect-src default-src font-src form-action frame-src img-src manifest-src media-src object-src ' +
    'require-trusted-types-for script-src script-src-attr script-src-elem style-src style-src-attr style-src-elem ' +
    'trusted-types worker-src'
  ).split(' '),
)
const MINUTE_MS = 60_000

type Options = {
  /** Requests per minute whose reports are processed. Further ones are answered, but ignored. */
  maxPerMinute?: number
  /** Clock in milliseconds. */
  now?: () => number
}

/**
 * Receives browsers' reports of what the Content Security Policy blocked. Records the directive alone, as
 * URLs and samples may be personal or forged.
 */
export function addCspReports(app: FastifyInstance, { maxPerMinute = 30, now = Date.now }: Options = {}) {
  let minute = { endsAt: 0, left: 0 }
  const admitRequest = () => {
    if (now() >= minute.endsAt) minute = { endsAt: now() + MINUTE_MS, left: maxPerMinute }
    minute.left -= 1
    return minute.left >= 0
  }
  // Scoped: no other route accepts these content types.
  void app.register(async (scope) => {
    scope.addContentTypeParser(REPORT_TYPES, { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(REPORTS_PATH, async (request, reply) => {
      const directives = admitRequest() ? directivesIn(request.body) : []
      for (const directive of directives)
        request.events?.record({ event: 'policy', outcome: 'violated', directive })
      return reply.code(204).send()
    })
  })
}

const MAX_REPORTS_PER_REQUEST = 10

/** The distinct directives, from either report format. */
function directivesIn(body: unknown): string[] {
  const reports = [parse(body)].flat().slice(0, MAX_REPORTS_PER_REQUEST)
  return [...new Set(reports.map(directiveOf))].filter((directive) => DIRECTIVES.has(directive))
}

function directiveOf(report: unknown): string {
  const { body, 'csp-report': older } = Object(report) as Record<string, unknown>
  const fields = Object(body ?? older) as Record<string, unknown>
  const directive =
    fields['effectiveDirective'] ?? fields['effective-directive'] ?? fields['violated-directive']
  return typeof directive === 'string' ? (directive.split(' ')[0] ?? '') : ''
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}
