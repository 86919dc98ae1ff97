import { STATUS_CODES } from 'node:http'
import { isIP, type Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { ERROR_STATUS, type ErrorCode } from '#contract/errors.ts'
import type { QueueLimits } from '../fair-queue.ts'
import { newId } from '../ids.ts'
import { refuse } from '../refusal.ts'
import type { CallEvents, SecurityEvents } from '../security-events.ts'
import { accessRecord } from './access-record.ts'
import { admitInTurn } from './admission.ts'
import { type Catalogue, handleErrors, sendRefusal } from './errors.ts'
import { networkOf } from './network.ts'
import { headersOfBrokenRequests, securityHeaders } from './security-headers.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections, timeouts } from './slow-clients.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What this call means for who guards the site; set before anything may be refused. */
    events: CallEvents | null
  }
}

const BODY_LIMIT = 16 * 1024

export type HttpOptions = {
  /** The origin visitors see. */
  publicUrl: string
  production: boolean
  /** Proxies whose X-Forwarded-For counts: names, addresses, CIDRs. */
  trustProxy: readonly string[]
  logger: FastifyBaseLogger
  security: SecurityEvents
  catalogue: Catalogue
  /** Vite serves the pages: no content security policy on them. */
  dev: boolean
  /** How many requests are under way and wait, where it is not what the product does. */
  admission?: Partial<QueueLimits>
  /** How long clients may take and how many connections they may have, likewise. */
  connections?: Partial<ConnectionLimits>
}

/** A Fastify that is strict about what reaches a route, and knows no feature. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const limits = { ...CONNECTION_LIMITS, ...options.connections }
  const secure = securityHeaders({ https: options.publicUrl.startsWith('https:'), pages: !options.dev })
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    requestIdHeader: false,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    bodyLimit: BODY_LIMIT,
    ...timeouts(limits),
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: answerBrokenRequest(options, limits.goodbye),
    // A path with a broken escape never reaches the hooks.
    frameworkErrors: (_error, request, reply) => {
      secure(reply)
      sendRefusal(reply, request, refuse('invalid_input'), options.catalogue)
    },
  })
  handleErrors(app, options.catalogue)
  app.addHook('onSend', async (_request, reply) => secure(reply))
  acceptOnlyJson(app)
  app.decorateRequest('events', null)
  app.addHook('onRequest', async (request) => {
    const call = `${request.method} ${request.routeOptions.url ?? '-'}`
    request.events = options.security.during({ log: request.log, network: networkOf(request.ip), call })
    checkHost(request, options)
    checkOrigin(request)
    warnOfIgnoredForwarding(request, options)
  })
  limitConnections(app, limits, { behindProxy: options.trustProxy.length > 0 })
  admitInTurn(app, { ...options.admission, exempt: isAskedByMachines })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(accessRecord(request, reply, request.events?.network), 'request')
  })
  return app
}

/** JSON and nothing else; an empty body is no body. Keys that would reach a prototype are refused. */
function acceptOnlyJson(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body as string, done)
  })
}

/** Asked by machines that may not know the site's name. */
const ASKED_BY_MACHINES = new Set(['/healthz', '/readyz', '/metrics'])
const isAskedByMachines = (request: FastifyRequest) => ASKED_BY_MACHINES.has(request.url)
const LOOPBACK_HOST = /^(localhost|[a-z0-9-]+\.localhost)$/i

/** A link in a mail or a page must never be made from a name that a stranger sent. */
function checkHost(request: FastifyRequest, { publicUrl, production }: HttpOptions) {
  if (isAskedByMachines(request)) return
  const expected = new URL(publicUrl)
  const host = plainHost(request.headers.host, expected.protocol)
  if (host === expected.host) return
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  if (!production && (LOOPBACK_HOST.test(name) || isIP(name) !== 0)) return
  throw refuse('unknown_host')
}

/** A Host header in lower case and without its scheme's own port; empty when it is more than a name and a port. */
function plainHost(header: string | undefined, protocol: string): string {
  const url = `${protocol}//${header ?? ''}`
  return /^[a-z0-9.:[\]-]+$/i.test(header ?? '') && URL.canParse(url) ? new URL(url).host : ''
}

/** A call that changes something must come from our own pages, or from no page at all. */
function checkOrigin(request: FastifyRequest) {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (request.headers['sec-fetch-site'] === 'cross-site') throw refuse('foreign_origin')
  const { origin, host } = request.headers
  if (origin === undefined) return
  const page = URL.canParse(origin) ? new URL(origin) : undefined
  if (!page?.host || page.host !== plainHost(host, page.protocol)) throw refuse('foreign_origin')
}

const warned = new WeakSet<object>()

/** Once: an operator behind a proxy who forgot TRUST_PROXY would see all visitors as one network. */
function warnOfIgnoredForwarding(request: FastifyRequest, options: HttpOptions) {
  const { 'x-forwarded-for': forwarded } = request.headers
  if (forwarded === undefined || options.trustProxy.length > 0 || warned.has(options)) return
  warned.add(options)
  request.log.warn('X-Forwarded-For was sent but TRUST_PROXY is not set: it is ignored.')
}

const BROKEN: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** What Node refuses before there is a request: too large headers, broken HTTP, what takes too long to arrive. */
function answerBrokenRequest({ catalogue, publicUrl }: HttpOptions, goodbye: number) {
  const always = Object.entries({
    ...headersOfBrokenRequests(publicUrl.startsWith('https:')),
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
  })
  return (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
    const code = BROKEN[error.code ?? ''] ?? 'invalid_input'
    const body = JSON.stringify({ message: catalogue.messages[code], code })
    const headers = [...always, ['content-length', Buffer.byteLength(body)]]
    socket.end(
      [
        `HTTP/1.1 ${ERROR_STATUS[code]} ${STATUS_CODES[ERROR_STATUS[code]]}`,
        ...headers.map(([name, value]) => `${name}: ${value}`),
        '',
        body,
      ].join('\r\n'),
    )
    // Ending closes our half only: whoever goes on sending or never closes theirs would keep the connection.
    setTimeout(() => socket.destroy(), goodbye).unref()
  }
}
