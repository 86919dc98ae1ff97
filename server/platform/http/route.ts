import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { CHALLENGE_HEADER } from '#contract/protocol/challenge.ts'
import {
  API_BASE,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '#contract/protocol/endpoint.ts'
import type { Role } from '#contract/entities.ts'
import type { Database } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Keys } from '../secrets.ts'
import type { CallEvents } from '../security-events.ts'
import { withTurn } from '../limits/turn.ts'
import { type Credentials, credentialsOf, isBrowser } from './security/credentials.ts'
import { type BrowserCookie, browserCookie, COOKIES } from './security/browser-cookie.ts'
import { isFresh } from './negotiation.ts'
import { CROSS_ORIGIN } from './security/security-headers.ts'
import { networkOf, widestNetwork } from '../limits/network.ts'
import type { ResponseCache } from './response-cache.ts'
import { enforceRateLimits } from './enforce-rate-limits.ts'

/** The authenticated caller. */
export type Caller = { userId: string; role: Role; tokenHash: Buffer }

/** An authorized and validated call, as verbs receive it. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  caller: E['access'] extends 'public' ? undefined : Caller
  /** The caller's IPv4 address or IPv6 /64. */
  network: string
  /** Whether the caller identifies itself as a browser. */
  fromBrowser: boolean
  flowCookie: BrowserCookie
  deviceCookie: BrowserCookie
  bindingCookie: BrowserCookie
  events: CallEvents
}

/** An endpoint with its handler. */
export type Route = {
  endpoint: Endpoint
  handle: (request: FastifyRequest, reply: FastifyReply, context: RouteContext) => Promise<unknown>
}

/** Dependencies of every route. */
export type RouteContext = {
  db: Database
  /** Signs challenges. */
  keys: Keys
  /** Undefined for missing, malformed or expired credentials. */
  authenticate: (sent: Credentials) => Promise<Caller | undefined>
  /** Whether visitors reach the site over TLS. */
  https: boolean
  /** Public responses of this node; cleared after every call that may write. */
  publicAnswers: ResponseCache<PublicAnswer>
}

/** A response that is the same for every caller. */
export type PublicAnswer = { body: string; etag: string }

export function route<E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<ReplyOf<E>>,
): Route {
  return createRoute(endpoint, handler)
}

/** Streams the reply as NDJSON instead of buffering it. */
export function ndjsonRoute<E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<AsyncIterable<ReplyOf<E>>>,
): Route {
  return createRoute(endpoint, handler)
}

function createRoute<E extends Endpoint>(endpoint: E, handler: (call: Call<E>) => Promise<unknown>): Route {
  return {
    endpoint,
    async handle(request, reply, context) {
      const network = networkOf(request.ip)
      const events = eventsOf(request)
      const caller = await authorize(endpoint, request, context)
      const cookie = (name: keyof typeof COOKIES) =>
        browserCookie(COOKIES[name], request, reply, context.https)
      const call = {
        ...readInput(endpoint, request),
        caller,
        network,
        fromBrowser: isBrowser(request),
        flowCookie: cookie('flow'),
        deviceCookie: cookie('device'),
        bindingCookie: cookie('binding'),
        events,
      }
      await enforceRateLimits(endpoint, context, {
        network,
        account: caller?.userId,
        solution: request.headers[CHALLENGE_HEADER],
        events,
      })
      // HEAD reads nothing, so do not record an export.
      if (endpoint.reply.lines && request.method === 'HEAD') return []
      const turn = { lane: endpoint.path, caller: widestNetwork(network) }
      const run = () => withTurn(turn, () => handler(call as Call<E>))
      if (endpoint.cache !== 'public') return run()
      const key = JSON.stringify([endpoint.path, call.params, call.query])
      return context.publicAnswers.get(key, async () => toPublicAnswer(endpoint, await run()))
    },
  }
}

/** Registers the routes below the API's base path. */
export function mount(app: FastifyInstance, routes: readonly Route[], context: RouteContext) {
  for (const { endpoint, handle } of routes) {
    app.route({
      method: endpoint.method,
      url: API_BASE + endpoint.path,
      handler: async (request, reply) => {
        const result = await handle(request, reply, context)
        // The caller must see its own write.
        if (endpoint.method !== 'GET') context.publicAnswers.clear()
        return send(endpoint, request, reply, result)
      },
    })
  }
}

async function authorize(
  endpoint: Endpoint,
  request: FastifyRequest,
  context: RouteContext,
): Promise<Caller | undefined> {
  if (endpoint.access === 'public') return undefined
  const caller = await context.authenticate(credentialsOf(request, context.https))
  if (!caller) throw refuse('unauthenticated')
  eventsOf(request).account = caller.userId
  if (endpoint.access === 'admin' && caller.role !== 'admin') throw refuse('forbidden')
  return caller
}

function eventsOf({ events }: FastifyRequest): CallEvents {
  if (!events) throw new Error('The request has no events: the onRequest hook did not run.')
  return events
}

const EMPTY = z.strictObject({})

function readInput(endpoint: Endpoint, request: FastifyRequest) {
  return {
    params: endpoint.params && parse(endpoint.params, request.params),
    query: parse(endpoint.query ?? EMPTY, request.query),
    body: endpoint.method === 'GET' ? undefined : parse(endpoint.body ?? EMPTY, request.body ?? {}),
  }
}

function parse(schema: z.core.$ZodType, value: unknown): unknown {
  // Only with the input does an issue distinguish a missing value from a wrong type.
  const parsed = z.safeParse(schema, value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw refuse('invalid_input', { fields: reasons(parsed.error.issues) })
}

/** One reason per field: keys of the catalog. */
function reasons(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const fields = issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [key, 'unknown_field'])
    const name = issue.path.join('.') || 'body'
    if (issue.code === 'invalid_type') return [[name, issue.input === undefined ? 'required' : 'wrong_type']]
    if (issue.code === 'invalid_value') return [[name, 'not_offered']]
    return [[name, issue.message]]
  })
  return Object.fromEntries(fields.toReversed())
}

function send(
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  result: unknown,
): FastifyReply {
  if (endpoint.reply.lines) return sendLines(endpoint, reply, result as AsyncIterable<unknown> | [])
  reply.code(endpoint.reply.status).type('application/json; charset=utf-8')
  if (endpoint.cache !== 'public')
    return reply.header('cache-control', 'no-store').send(serialize(endpoint, result))
  const { body, etag } = result as PublicAnswer
  reply.headers({ ...PUBLIC_HEADERS, etag })
  return isFresh(request, etag) ? reply.code(304).send() : reply.send(body)
}

const serialize = ({ reply }: Endpoint, result: unknown) => JSON.stringify(z.parse(reply.body, result))

function toPublicAnswer(endpoint: Endpoint, result: unknown): PublicAnswer {
  const body = serialize(endpoint, result)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
}

function sendLines({ reply: shape }: Endpoint, reply: FastifyReply, results: AsyncIterable<unknown> | []) {
  const toLine = (result: unknown) => `${JSON.stringify(z.parse(shape.body, result))}\n`
  return reply
    .code(shape.status)
    .type('application/x-ndjson; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${shape.lines}"` })
    .send(Readable.from(results).map(toLine))
}

/** Public responses may be cached for a second and read cross-origin. */
const PUBLIC_HEADERS = {
  'cache-control': 'public, max-age=1, stale-while-revalidate=5',
  ...CROSS_ORIGIN,
}
