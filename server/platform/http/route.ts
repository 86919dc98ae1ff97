import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
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
import type { Locale } from '#contract/locales.ts'
import type { Database } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { Keys } from '../secrets.ts'
import type { CallEvents } from '../log/security-events.ts'
import { withTurn } from '../limits/turn.ts'
import { type Forwarding, readForwarding } from './forwarding.ts'
import { type Credentials, credentialsOf, isBrowser } from './security/credentials.ts'
import { type BrowserCookie, browserCookie, COOKIES } from './security/browser-cookie.ts'
import { networkOf, widestNetwork } from '../limits/network.ts'
import { createAnswer } from './public-answers/answer.ts'
import type { PublicAnswers } from './public-answers/public-answers.ts'
import type { CatalogIn } from './errors.ts'
import { localeOf } from './locale.ts'
import { enforceRateLimits } from './enforce-rate-limits.ts'
import { readInput } from './read-input.ts'
import {
  type Language,
  type NamedFile,
  PUBLIC_JSON,
  sendFile,
  sendJson,
  sendLines,
  serialize,
} from './send-reply.ts'

export type Caller = {
  userId: string
  role: Role
  tokenHash: Buffer
  /** An administrator who first has to set up two-factor login. */
  lacksSecondFactor?: boolean
  locale?: Locale | undefined
}

/** An authorized and validated call, as operations receive it. */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** The file, for an endpoint with `upload`; otherwise empty. */
  upload: Buffer
  caller: E['access'] extends 'public' ? undefined : Caller
  /** The caller's IPv4 address or IPv6 /64. */
  network: string
  /** Whether the caller identifies itself as a browser. */
  isFromBrowser: boolean
  userAgent: string | undefined
  locale: Locale
  readForwarding: () => Forwarding
  /** What these three distinguish: {@link COOKIES}. */
  flowCookie: BrowserCookie
  deviceCookie: BrowserCookie
  bindingCookie: BrowserCookie
  /** Records what this call means for security. */
  events: CallEvents
}

/** What a public answer may depend on. */
type PublicInput<E extends Endpoint> = Pick<Call<E>, 'params' | 'query'>

export type Route = {
  endpoint: Endpoint
  handle: (request: FastifyRequest, reply: FastifyReply, context: RouteContext) => Promise<FastifyReply>
}

type RouteContext = {
  db: Database
  keys: Keys
  /** Undefined for missing, malformed or expired credentials. */
  authenticate: (credentials: Credentials) => Promise<Caller | undefined>
  /** Whether visitors reach the site over TLS. */
  isHttps: boolean
  publicAnswers: PublicAnswers
  catalogIn: CatalogIn
}

/** @param handler may give the name of an answer in the catalog as `message`; the caller gets its text. */
export function route<E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<ReplyOf<E>>,
): Route {
  return createRoute(endpoint, handler, (reply, result, language) =>
    sendJson(endpoint, reply, result, language),
  )
}

/** Streams the reply as NDJSON instead of buffering it. */
export function ndjsonRoute<E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<AsyncIterable<ReplyOf<E>>>,
): Route {
  // HEAD does not call the handler, which would record an export.
  return createRoute<E, AsyncIterable<unknown> | []>(
    endpoint,
    async (call, { method }) => (method === 'HEAD' ? [] : handler(call)),
    (reply, lines) => sendLines(endpoint, reply, lines),
  )
}

/** Streams a file. If reading it fails, the connection breaks, so that no part is taken for the whole. */
export function fileRoute<E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<Readable | NamedFile>,
): Route {
  // HEAD does not call the handler, which would record an export.
  return createRoute<E, Readable | NamedFile>(
    endpoint,
    async (call, { method }) => (method === 'HEAD' ? Readable.from([]) : handler(call)),
    (reply, file) => sendFile(reply, asNamed(endpoint, file)),
  )
}

const asNamed = ({ file: declared }: Endpoint, file: Readable | NamedFile): NamedFile =>
  file instanceof Readable
    ? { name: declared?.name ?? 'file', type: declared?.type ?? 'application/octet-stream', bytes: file }
    : file

/** The answer is the same for every caller and kept in memory. The handler runs again once it is too old. */
export function publicRoute<E extends Endpoint>(
  endpoint: E,
  handler: (input: PublicInput<E>) => Promise<ReplyOf<E>>,
): Route {
  // Outside `handle`, because a source made there would keep its request in memory.
  const sourceOf = (input: PublicInput<E>, publicAnswers: PublicAnswers) =>
    publicAnswers.source(
      JSON.stringify([endpoint.path, input.params, input.query]),
      endpoint.path,
      async () => createAnswer(serialize(endpoint, await handler(input)), PUBLIC_JSON),
    )
  return {
    endpoint,
    async handle(request, reply, { publicAnswers }) {
      const source = sourceOf(readInput(endpoint, request) as PublicInput<E>, publicAnswers)
      return withTurn(turnOf(endpoint, networkOf(request.ip)), () =>
        publicAnswers.send(request, reply, source),
      )
    },
  }
}

function createRoute<E extends Endpoint, Result>(
  endpoint: E,
  handler: (call: Call<E>, request: FastifyRequest) => Promise<Result>,
  send: (reply: FastifyReply, result: Result, language: Language) => FastifyReply,
): Route {
  return {
    endpoint,
    async handle(request, reply, context) {
      const network = networkOf(request.ip)
      const events = eventsOf(request)
      const caller = await authorize(endpoint, request, context)
      // After `authorize`, which sets the account's language on the request.
      const locale = localeOf(request)
      const cookie = (name: keyof typeof COOKIES) =>
        browserCookie(COOKIES[name], request, reply, context.isHttps)
      const call = {
        ...readInput(endpoint, request),
        caller,
        network,
        isFromBrowser: isBrowser(request),
        userAgent: request.headers['user-agent'],
        locale,
        readForwarding: () => readForwarding(request),
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
      const result = await withTurn(turnOf(endpoint, network), () => handler(call as Call<E>, request))
      // The caller must see its own write.
      if (endpoint.method !== 'GET') context.publicAnswers.expire(endpoint.invalidatesCacheOf)
      return send(reply, result, { locale, catalogIn: context.catalogIn })
    },
  }
}

const turnOf = ({ path }: Endpoint, network: string) => ({ lane: path, caller: widestNetwork(network) })

export function mount(app: FastifyInstance, routes: readonly Route[], context: RouteContext) {
  for (const { endpoint, handle } of routes) {
    const declared = {
      method: endpoint.method,
      url: API_BASE + endpoint.path,
      ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
      handler: (request: FastifyRequest, reply: FastifyReply) => handle(request, reply, context),
    }
    const { upload } = endpoint
    const check = (request: FastifyRequest) => authorize(endpoint, request, context)
    if (upload) void app.register(async (scope) => mountUpload(scope, declared, upload, check))
    else app.route(declared)
  }
}

/** Takes a file of any type. Before reading, refuses strangers and a Content-Length that is too large. */
function mountUpload(
  scope: FastifyInstance,
  declared: RouteOptions,
  { atMost, tooLarge }: NonNullable<Endpoint['upload']>,
  check: (request: FastifyRequest) => Promise<unknown>,
) {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.route({
    ...declared,
    bodyLimit: atMost,
    async onRequest(request) {
      await check(request)
      if (Number(request.headers['content-length'] ?? 0) > atMost) throw refuse(tooLarge)
    },
  })
}

/** Identifies the caller by the bearer token, and refuses a role that the endpoint's `access` excludes. */
async function authorize(
  endpoint: Endpoint,
  request: FastifyRequest,
  context: RouteContext,
): Promise<Caller | undefined> {
  if (endpoint.access === 'public') return undefined
  const caller = await context.authenticate(credentialsOf(request, context.isHttps))
  if (!caller) throw refuse('unauthenticated')
  eventsOf(request).account = caller.userId
  request.accountLocale = caller.locale ?? null
  if (endpoint.access === 'admin' && caller.role !== 'admin') throw refuse('forbidden')
  if (endpoint.access === 'admin' && caller.lacksSecondFactor) throw refuse('two_factor_needed')
  return caller
}

function eventsOf({ events }: FastifyRequest): CallEvents {
  if (!events) throw new Error('The request has no events: the onRequest hook did not run.')
  return events
}
