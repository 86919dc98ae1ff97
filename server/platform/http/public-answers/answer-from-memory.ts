import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { newId } from '../../database/ids.ts'
import { createLineTemplate, type LineValues } from '../../log/log.ts'
import { type SecurityHeaders, withSecurityHeaders } from '../security/security-headers.ts'
import { type Reply, replyTo } from './answer.ts'
import type { Exchange, KnownUrl, PublicAnswers } from './public-answers.ts'
import { createBoundedCache } from './bounded-cache.ts'

type Dependencies = {
  publicAnswers: PublicAnswers
  isOurHost: (header: string | undefined) => boolean
  visitors: Visitors
  security: SecurityHeaders
  logger: FastifyBaseLogger
}

/**
 * Answers a request before Fastify sees it if the answer is in memory, with the same checks, headers, line in
 * the access log and metrics. Fastify gets the rest: a URL without a current answer, a foreign host, a
 * visitor not seen lately, an encoding that has yet to be made, and any request once the server is closing.
 */
export function answerFromMemory(app: FastifyInstance, dependencies: Dependencies): void {
  const { publicAnswers, isOurHost, visitors } = dependencies
  const respond = createResponder(dependencies)
  const [passToFastify] = app.server.listeners('request') as [RequestListener]
  let isClosing = false
  app.addHook('preClose', async () => void (isClosing = true))
  app.server.removeListener('request', passToFastify)
  const findAnswer = (request: IncomingMessage): AnswerInMemory | undefined => {
    const { method, url = '', headers } = request
    if (isClosing || (method !== 'GET' && method !== 'HEAD')) return undefined
    const known = publicAnswers.find(url)
    const answer = known?.source.current()
    if (!known || !answer || !isOurHost(headers.host)) return undefined
    const network = visitors.networkHashOf(request)
    const reply = replyTo(headers, answer)
    return network === undefined || !reply ? undefined : { known, network, reply }
  }
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // `limitConnections` has closed the socket, from which Node had already read this request.
    if (request.socket.destroyed) return
    const inMemory = findAnswer(request)
    if (inMemory) respond(request, response, inMemory)
    else passToFastify(request, response)
  })
}

/** @property network the keyed hash of the visitor's network */
type AnswerInMemory = { known: KnownUrl; network: string; reply: Reply }

function createResponder({ publicAnswers, security, logger }: Dependencies) {
  const headerLists = new WeakMap<Reply, string[]>()
  // The record contains nothing to redact. Looking for it would cost more than everything else here.
  const log = logger.child({}, { redact: [] })
  const reports = new WeakMap<KnownUrl, Map<string, Report>>()

  function headersOf(reply: Reply): string[] {
    const existing = headerLists.get(reply)
    if (existing) return existing
    const list = Object.entries(withSecurityHeaders(reply.headers, security)).flat()
    headerLists.set(reply, list)
    return list
  }

  function reportOf(known: KnownUrl, method: string, status: number): Report {
    const reportsOfUrl = reports.get(known) ?? new Map<string, Report>()
    reports.set(known, reportsOfUrl)
    const key = `${method} ${status}`
    const existing = reportsOfUrl.get(key)
    if (existing) return existing
    const { path, parameters, route } = known
    const record = { method, path, ...(parameters ? { parameters } : {}), status }
    const created = {
      exchange: { method, route, status },
      log: createLineTemplate(log as Logger, record, 'request'),
    }
    reportsOfUrl.set(key, created)
    return created
  }

  return (request: IncomingMessage, response: ServerResponse, { known, network, reply }: AnswerInMemory) => {
    const startedAt = performance.now()
    const { method = 'GET' } = request
    const { status, body } = reply
    response.writeHead(status, headersOf(reply))
    response.end(method === 'HEAD' ? undefined : body)
    // Does not wait for the client, whose pace says nothing about the server.
    const ms = performance.now() - startedAt
    const report = reportOf(known, method, status)
    publicAnswers.recordServed(report.exchange, ms)
    report.log({ reqId: newId(), ms: Math.round(ms), network })
  }
}

/** What metrics and log say about all responses to a URL with the same method and status. */
type Report = { exchange: Exchange; log: (values: LineValues) => void }

const MAX_VISITORS = 20_000
const MAX_KEY_LENGTH = 200

export type Visitors = ReturnType<typeof createVisitors>

/** Remembers the keyed hashes of visitors' networks, as the access log shows them. */
export function createVisitors() {
  const networkHashes = createBoundedCache<string>({
    maxEntries: MAX_VISITORS,
    maxWeight: MAX_VISITORS * MAX_KEY_LENGTH,
    weigh: (_networkHash, key) => key.length,
  })
  return {
    remember(request: IncomingMessage, networkHash: string) {
      const key = keyOf(request)
      if (key.length <= MAX_KEY_LENGTH) networkHashes.set(key, networkHash)
    },
    /** Undefined for a visitor not seen lately: only Fastify finds out who is behind a proxy. */
    networkHashOf: (request: IncomingMessage) => networkHashes.get(keyOf(request)),
  }
}

/** Everything that decides what the visitor's address is. */
function keyOf({ socket, headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for']
  const { remoteAddress = '' } = socket
  return forwarded === undefined ? remoteAddress : `${remoteAddress} ${String(forwarded)}`
}
