import { maxHeaderSize, STATUS_CODES } from 'node:http'
import { isIP, type Socket } from 'node:net'
import cookie from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { DEFAULT_LOCALE } from '#contract/locales.ts'
import { ERROR_STATUS, type ErrorCode } from '#contract/protocol/errors.ts'
import type { QueueLimits } from '../limits/fair-queue.ts'
import { newId } from '../database/ids.ts'
import { refuse } from '../refusal.ts'
import type { CallEvents, SecurityEvents } from '../log/security-events.ts'
import { accessRecord } from './access-record.ts'
import { addAdmissionControl } from './admission.ts'
import { type CatalogIn, handleErrors, sendRefusal } from './errors.ts'
import { networkOf } from '../limits/network.ts'
import { isLoopbackHost } from './security/loopback.ts'
import {
  type SecurityHeaders,
  securityHeaders,
  setSecurityHeaders,
  withSecurityHeaders,
} from './security/security-headers.ts'
import { answerFromMemory, createVisitors, type Visitors } from './public-answers/answer-from-memory.ts'
import type { PublicAnswers } from './public-answers/public-answers.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, limitConnections, timeouts } from './slow-clients.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Security events of this call; set before anything can refuse it. */
    events: CallEvents | null
  }
}

const MAX_BODY_BYTES = 16 * 1024

export type HttpOptions = {
  publicUrl: string
  isProduction: boolean
  /** Proxies whose X-Forwarded-For is trusted: names, addresses, CIDRs. */
  trustProxy: readonly string[]
  logger: FastifyBaseLogger
  security: SecurityEvents
  catalogIn: CatalogIn
  /** Vite serves the pages, without content security policy. */
  isDev: boolean
  publicAnswers: PublicAnswers
  admission?: Partial<QueueLimits>
  connections?: Partial<ConnectionLimits>
}

/** Creates a Fastify with strict request checks and without any feature. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const limits = { ...CONNECTION_LIMITS, ...options.connections }
  const { publicUrl, isDev, publicAnswers, logger } = options
  const headers = securityHeaders({ isHttps: publicUrl.startsWith('https:'), hasPolicy: !isDev })
  const app: FastifyInstance = createFastify(options, limits, headers)
  const isOurHost = createHostCheck(options)
  const visitors = createVisitors()
  answerFromMemory(app, { publicAnswers, isOurHost, visitors, security: headers, logger })
  handleErrors(app, options.catalogIn)
  app.addHook('onSend', async (_request, reply) => setSecurityHeaders(reply, headers))
  void app.register(cookie)
  acceptOnlyJson(app)
  checkRequests(app, options, isOurHost, visitors)
  // Node would answer 417 by itself, without these checks, headers and limits.
  app.server.on('checkExpectation', (...exchange) => app.server.emit('request', ...exchange))
  limitConnections(app, limits, { isBehindProxy: options.trustProxy.length > 0 })
  addAdmissionControl(app, { ...options.admission, isExempt: isMonitoring })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(accessRecord(request, reply, request.events?.network), 'request')
  })
  return app
}

function createFastify(options: HttpOptions, limits: ConnectionLimits, headers: SecurityHeaders) {
  const { http, ...timeLimits } = timeouts(limits)
  return Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    requestIdHeader: false,
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    bodyLimit: MAX_BODY_BYTES,
    ...timeLimits,
    // Node would answer a request without Host with a bare 400. `isOurHost` refuses it like a foreign one.
    http: { ...http, requireHostHeader: false },
    forceCloseConnections: 'idle',
    // To the router, a parameter longer than this is an unknown path, but schemas decide what is valid.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    clientErrorHandler: answerBrokenRequest(options, limits.closeDelayMs),
    // A malformed escape in the path never reaches the hooks.
    frameworkErrors: (_error, request, reply) => {
      setSecurityHeaders(reply, headers)
      sendRefusal(reply, request, refuse('invalid_input'), options.catalogIn)
    },
  })
}

/** Accepts only JSON; an empty body counts as absent. Rejects keys that could pollute a prototype. */
function acceptOnlyJson(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parseJson(request, body as string, done)
  })
}

/** Refuses foreign hosts and origins. Remembers the network for security events and `answerFromMemory`. */
function checkRequests(
  app: FastifyInstance,
  options: HttpOptions,
  isOurHost: (header: string | undefined) => boolean,
  visitors: Visitors,
) {
  app.decorateRequest('events', null)
  app.decorateRequest('accountLocale', null) // Set once the caller is known.
  app.addHook('onRequest', async (request) => {
    const call = `${request.method} ${request.routeOptions.url ?? '-'}`
    request.events = options.security.forCall({ log: request.log, network: networkOf(request.ip), call })
    visitors.remember(request.raw, request.events.network)
    if (!isMonitoring(request) && !isOurHost(request.headers.host)) throw refuse('unknown_host')
    // The router would take the star for a slash.
    if (request.url.startsWith('*')) throw refuse('not_found')
    checkOrigin(request)
    warnOfIgnoredForwarding(request, options)
  })
}

/** Called by monitoring, which may not know the public host name. */
const MONITORING_PATHS = new Set(['/healthz', '/readyz', '/metrics'])
const isMonitoring = (request: FastifyRequest) => MONITORING_PATHS.has(request.url)

/** Prevents Host header attacks, such as poisoned links in emails. */
function createHostCheck({ publicUrl, isProduction }: HttpOptions): (header: string | undefined) => boolean {
  const expected = new URL(publicUrl)
  const isOurs = (header: string | undefined) => {
    const host = normalizeHost(header, expected.protocol)
    if (host === expected.host) return true
    const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
    return !isProduction && (isLoopbackHost(name) || isIP(name) !== 0)
  }
  // Nearly all requests have the same Host header.
  let lastAccepted: string | undefined = expected.host
  return (header) => {
    if (header === lastAccepted) return true
    if (!isOurs(header)) return false
    lastAccepted = header
    return true
  }
}

/** Normalizes a Host header: lower case, no default port; empty if it is not just a name and a port. */
function normalizeHost(header: string | undefined, protocol: string): string {
  const url = `${protocol}//${header ?? ''}`
  return /^[a-z0-9.:[\]-]+$/i.test(header ?? '') && URL.canParse(url) ? new URL(url).host : ''
}

/** Prevents CSRF: writes must come from our own origin, or from no page at all. */
function checkOrigin(request: FastifyRequest) {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (request.headers['sec-fetch-site'] === 'cross-site') throw refuse('foreign_origin')
  const { origin, host } = request.headers
  if (origin === undefined) return
  const page = URL.canParse(origin) ? new URL(origin) : undefined
  if (!page?.host || page.host !== normalizeHost(host, page.protocol)) throw refuse('foreign_origin')
}

const warned = new WeakSet<object>()

/** Warns once: behind a proxy and without TRUST_PROXY, all visitors would count as one network. */
function warnOfIgnoredForwarding(request: FastifyRequest, options: HttpOptions) {
  const { 'x-forwarded-for': forwarded } = request.headers
  if (forwarded === undefined || options.trustProxy.length > 0 || warned.has(options)) return
  warned.add(options)
  request.log.warn('X-Forwarded-For was sent but TRUST_PROXY is not set: it is ignored.')
}

const PARSER_ERRORS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Answers, in English, what Node rejects by itself: oversized headers, malformed HTTP, timeouts. */
function answerBrokenRequest({ catalogIn, publicUrl }: HttpOptions, closeDelayMs: number) {
  const security = securityHeaders({ isHttps: publicUrl.startsWith('https:'), hasPolicy: true })
  const typeAndClose = { 'content-type': 'application/json; charset=utf-8', connection: 'close' }
  const commonHeaders = Object.entries(withSecurityHeaders(typeAndClose, security))
  return (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
    const code = PARSER_ERRORS[error.code ?? ''] ?? 'invalid_input'
    const body = JSON.stringify({ message: catalogIn(DEFAULT_LOCALE).messages[code], code })
    const headers = [...commonHeaders, ['content-length', Buffer.byteLength(body)]]
    socket.end(
      [
        `HTTP/1.1 ${ERROR_STATUS[code]} ${STATUS_CODES[ERROR_STATUS[code]]}`,
        ...headers.map(([name, value]) => `${name}: ${value}`),
        '',
        body,
      ].join('\r\n'),
    )
    // end() closes only our half. A client that never closes its half would keep the connection.
    setTimeout(() => socket.destroy(), closeDelayMs).unref()
  }
}
