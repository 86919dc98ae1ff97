import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { CHALLENGE_HEADER } from '#contract/challenge.ts'
import {
  API_BASE,
  type BodyOf,
  type Endpoint,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '#contract/endpoint.ts'
import type { Role } from '#contract/entities.ts'
import type { Database } from '../database.ts'
import { refuse } from '../refusal.ts'
import type { Keys } from '../secrets.ts'
import type { CallEvents } from '../security-events.ts'
import { withTurn } from '../turn.ts'
import { type Credentials, credentialsOf, isBrowser } from './credentials.ts'
import { type BrowserCookie, browserCookie, COOKIES } from './browser-cookie.ts'
import { networkOf, widestNetwork } from './network.ts'
import type { ResponseCache } from './response-cache.ts'
import { enforceRateLimits } from './enforce-rate-limits.ts'

/** Who calls, by the credentials they sent. */
export type Caller = { userId: string; role: Role; tokenHash: Buffer }

/** What a verb gets of a call that was let in and validated. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  caller: E['access'] extends 'public' ? undefined : Caller
  /** The caller's IPv4 address or IPv6 /64. */
  network: string
  /** Whether a browser calls, as far as it says so. */
  fromBrowser: boolean
  /** What the caller's browser keeps for us: of the code that was asked for, of its logins, for its tokens. */
  flowCookie: BrowserCookie
  deviceCookie: BrowserCookie
  bindingCookie: BrowserCookie
  events: CallEvents
}

/** One endpoint and the verb that answers it. */
export type Route = {
  endpoint: Endpoint
  answer: (request: FastifyRequest, reply: FastifyReply, gate: RouteContext) => Promise<unknown>
}

/** What stands before every route. */
export type RouteContext = {
  db: Database
  /** Sign the challenges of networks that are over their budget. */
  keys: Keys
  /** The caller behind what was sent; undefined for missing, malformed or dead credentials. */
  authenticate: (sent: Credentials) => Promise<Caller | undefined>
  /** Whether visitors reach the site over TLS. */
  https: boolean
  /** The public answers of this node; forgotten when a call changed something. */
  publicAnswers: ResponseCache<PublicAnswer>
}

/** The bytes of an answer that is the same for everybody. */
export type PublicAnswer = { body: string; etag: string }

export function route<E extends Endpoint>(endpoint: E, verb: (call: Call<E>) => Promise<ReplyOf<E>>): Route {
  return answeredBy(endpoint, verb)
}

/** An endpoint that replies with lines: each is sent when it is made, so that nothing holds all of them. */
export function ndjsonRoute<E extends Endpoint>(
  endpoint: E,
  verb: (call: Call<E>) => Promise<AsyncIterable<ReplyOf<E>>>,
): Route {
  return answeredBy(endpoint, verb)
}

function answeredBy<E extends Endpoint>(endpoint: E, verb: (call: Call<E>) => Promise<unknown>): Route {
  return {
    endpoint,
    async answer(request, reply, gate) {
      const network = networkOf(request.ip)
      const events = eventsOf(request)
      const caller = await letIn(endpoint, request, gate)
      const cookie = (name: keyof typeof COOKIES) => browserCookie(COOKIES[name], request, reply, gate.https)
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
      await enforceRateLimits(endpoint, gate, {
        network,
        account: caller?.userId,
        solution: request.headers[CHALLENGE_HEADER],
        events,
      })
      // Whoever asks for the headers alone reads nothing, so nothing is to be recorded.
      if (endpoint.reply.lines && request.method === 'HEAD') return []
      const turn = { lane: endpoint.path, caller: widestNetwork(network) }
      const answer = () => withTurn(turn, () => verb(call as Call<E>))
      if (endpoint.cache !== 'public') return answer()
      const given = JSON.stringify([endpoint.path, call.params, call.query])
      return gate.publicAnswers.get(given, async () => asPublic(endpoint, await answer()))
    },
  }
}

/** Registers the routes below the API's base path. */
export function mount(app: FastifyInstance, routes: readonly Route[], gate: RouteContext) {
  for (const { endpoint, answer } of routes) {
    app.route({
      method: endpoint.method,
      url: API_BASE + endpoint.path,
      handler: async (request, reply) => {
        const result = await answer(request, reply, gate)
        // Whoever just changed something sees it.
        if (endpoint.method !== 'GET') gate.publicAnswers.clear()
        return send(endpoint, request, reply, result)
      },
    })
  }
}

async function letIn(
  endpoint: Endpoint,
  request: FastifyRequest,
  gate: RouteContext,
): Promise<Caller | undefined> {
  if (endpoint.access === 'public') return undefined
  const caller = await gate.authenticate(credentialsOf(request, gate.https))
  if (!caller) throw refuse('unauthenticated')
  eventsOf(request).account = caller.userId
  if (endpoint.access === 'admin' && caller.role !== 'admin') throw refuse('forbidden')
  return caller
}

function eventsOf({ events }: FastifyRequest): CallEvents {
  if (!events) throw new Error('Every request has its events before it reaches a route.')
  return events
}

const NOTHING = z.strictObject({})

function readInput(endpoint: Endpoint, request: FastifyRequest) {
  return {
    params: endpoint.params && parse(endpoint.params, request.params),
    query: parse(endpoint.query ?? NOTHING, request.query),
    body: endpoint.method === 'GET' ? undefined : parse(endpoint.body ?? NOTHING, request.body ?? {}),
  }
}

function parse(schema: z.core.$ZodType, value: unknown): unknown {
  // Without the input an issue does not tell a missing value from one of another type.
  const parsed = z.safeParse(schema, value, { reportInput: true })
  if (parsed.success) return parsed.data
  throw refuse('invalid_input', { fields: reasons(parsed.error.issues) })
}

/** One reason a field: keys of the catalogue. */
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
    return reply.header('cache-control', 'no-store').send(inShape(endpoint, result))
  const { body, etag } = result as PublicAnswer
  reply.headers({ ...PUBLIC_HEADERS, etag })
  return isKnown(etag, request.headers['if-none-match']) ? reply.code(304).send() : reply.send(body)
}

const inShape = ({ reply }: Endpoint, result: unknown) => JSON.stringify(z.parse(reply.body, result))

function asPublic(endpoint: Endpoint, result: unknown): PublicAnswer {
  const body = inShape(endpoint, result)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
}

function sendLines({ reply: shape }: Endpoint, reply: FastifyReply, results: AsyncIterable<unknown> | []) {
  const asText = (result: unknown) => `${JSON.stringify(z.parse(shape.body, result))}\n`
  return reply
    .code(shape.status)
    .type('application/x-ndjson; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${shape.lines}"` })
    .send(Readable.from(results).map(asText))
}

/** What is public may be kept for a second, and be read by the pages of others. */
export const PUBLIC_HEADERS = {
  'cache-control': 'public, max-age=1, stale-while-revalidate=5',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Compared weakly: whoever compresses on the way may have marked the tag as weak. */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
