import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { API_BASE, type Endpoint, type Limit } from '#contract/protocol/endpoint.ts'
import { ERROR_STATUS, ErrorBody, type ErrorCode } from '#contract/protocol/errors.ts'
import { CROSS_ORIGIN } from '../security/security-headers.ts'

type About = { readonly name: string; publicUrl: string }

/** Reads `about.name`, which an administrator may change, on each request. No library: docs/decisions/024. */
export function addOpenApi(app: FastifyInstance, endpoints: readonly Endpoint[], about: About) {
  let cached: { name: string; document: string } | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    const { name, publicUrl } = about
    if (cached?.name !== name)
      cached = { name, document: JSON.stringify(openApi(endpoints, { name, publicUrl })) }
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .headers(CROSS_ORIGIN)
      .send(cached.document)
  })
}

type Schema = Record<string, unknown>

/** Refusals that every endpoint can give, in addition to its own. */
const COMMON: readonly ErrorCode[] = [
  'invalid_input',
  'unknown_host',
  'request_timeout',
  'headers_too_large',
  'rate_limited',
  'internal',
  'unavailable',
]
const WITH_BODY: readonly ErrorCode[] = [
  'malformed_json',
  'foreign_origin',
  'body_too_large',
  'unsupported_media_type',
]
const BY_ACCESS: Record<Endpoint['access'], readonly ErrorCode[]> = {
  public: [],
  participant: ['unauthenticated'],
  admin: ['unauthenticated', 'forbidden', 'two_factor_needed'],
}

const TAGS = { public: 'Public', participant: 'Participants', admin: 'Administrators' }

/** Generates the OpenAPI 3.1 document from the schemas that validate the calls. */
export function openApi(endpoints: readonly Endpoint[], { name, publicUrl }: About) {
  const paths: Record<string, Record<string, Schema>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:([a-zA-Z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${name} API`,
      version: '1',
      description: 'The calls that the site itself makes. Errors always match the Error schema.',
    },
    externalDocs: {
      url: `${publicUrl}/api/docs`,
      description: 'Logging in, errors, and how to solve a challenge',
    },
    servers: [{ url: publicUrl + API_BASE }],
    tags: Object.values(TAGS).map((tag) => ({ name: tag })),
    paths,
    components: {
      schemas: { Error: jsonSchema(ErrorBody) },
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token from a login. A login with an Origin or Sec-Fetch-Site header also sets a cookie, and its token works only together with that cookie.',
        },
      },
    },
  }
}

function operation(endpoint: Endpoint): Schema {
  const { access, summary, params, query, body, upload, status, limits = [] } = endpoint
  return {
    tags: [TAGS[access]],
    // OpenAPI has no Markdown in summaries.
    summary: summary.replaceAll('`', ''),
    ...(limits.length > 0 ? { description: limits.map(inWords).join('\n'), 'x-limits': limits } : {}),
    security: access === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parameters('path', params),
      ...parameters('query', query),
      ...(acceptsSolvedChallenge(endpoint) ? [SOLVED_CHALLENGE] : []),
    ],
    ...(upload ? { requestBody: { required: true, content: { '*/*': { schema: BINARY } } } } : {}),
    ...(body ? { requestBody: { required: true, content: json(jsonSchema(body, 'input')) } } : {}),
    responses: { [status]: { description: 'Success', content: contentOf(endpoint) }, ...refusals(endpoint) },
  }
}

const PERIODS: Record<number, string> = { 60: 'minute', 3_600: 'hour', 86_400: 'day' }

function inWords(limit: Limit): string {
  const { take, seconds, per } = limit
  const period = PERIODS[seconds] ?? `${seconds} s`
  if (per === 'global')
    return `At most ${take} ${limit.of} per ${period} for all callers together; each further one takes a solved challenge.`
  const more = per === 'network' && limit.forWork
  const withWork = more ? `, and ${more} more with a solved challenge each` : ''
  if ('of' in limit)
    return `At most ${take} ${limit.of} per ${period} and ${per}, shared by all calls that use one.`
  return `At most ${take} per ${period} and ${per}${withWork}.`
}

function acceptsSolvedChallenge({ limits = [] }: Endpoint): boolean {
  return limits.some((limit) => limit.per !== 'account' && limit.forWork !== undefined)
}

const SOLVED_CHALLENGE: Schema = {
  name: 'X-Challenge',
  in: 'header',
  required: false,
  description: 'The solved challenge from a 429, as base64-encoded JSON. See the external documentation.',
  schema: { type: 'string' },
}

function parameters(location: 'path' | 'query', schema: z.core.$ZodType | undefined): Schema[] {
  if (!schema) return []
  const { properties = {} } = jsonSchema(schema, 'input') as { properties?: Record<string, Schema> }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path',
    schema: property,
  }))
}

function refusals(endpoint: Endpoint): Record<string, Schema> {
  const codes = new Set<ErrorCode>([
    ...COMMON,
    ...(endpoint.method === 'GET' ? [] : WITH_BODY),
    ...(endpoint.params ? (['not_found'] as const) : []),
    ...(acceptsSolvedChallenge(endpoint) ? (['challenge_refused'] as const) : []),
    ...endpoint.refusals,
    ...BY_ACCESS[endpoint.access],
  ])
  const byStatus = Map.groupBy(codes, (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, codesWithStatus]) => [
      status,
      { description: codesWithStatus.join(', '), content: json({ $ref: '#/components/schemas/Error' }) },
    ]),
  )
}

const BINARY = { type: 'string', format: 'binary' }

function contentOf({ reply, lines, file }: Endpoint): Schema {
  if (file) return { [file.type]: { schema: BINARY } }
  return lines ? { 'application/x-ndjson': { schema: jsonSchema(reply) } } : json(jsonSchema(reply))
}

const json = (schema: Schema) => ({ 'application/json': { schema } })

function jsonSchema(schema: z.core.$ZodType, io: 'input' | 'output' = 'output'): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  return rest
}
