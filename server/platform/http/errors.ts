import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '#contract/locales.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '#contract/protocol/errors.ts'
import { isUnavailable } from '../database/database.ts'
import { refuse, Refusal } from '../refusal.ts'
import { localeOf, setLanguage } from './locale.ts'
import type { Route } from './route.ts'

export type Catalog = {
  /** Messages of refusals. */
  messages: Record<ErrorCode, string>
  /** Reasons why a field is refused. */
  fields: Record<string, string>
  /** Messages of successful calls. */
  answers: Readonly<Record<string, string>>
}

export type CatalogIn = (locale: Locale) => Catalog

const UNAVAILABLE_RETRY_SECONDS = 2

/** Maps everything thrown to the error body. Stack, SQL and paths go to the log only. */
export function handleErrors(app: FastifyInstance, catalogIn: CatalogIn) {
  app.setErrorHandler((error, request, reply) => {
    const refusal = toRefusal(error)
    request.events?.recordRefusal(refusal)
    if (refusal.code === 'internal') request.log.error({ err: error }, 'unexpected error')
    // Our own refusals are not logged: a full queue would flood the log, and the access log has the status.
    else if (refusal.code === 'unavailable' && refusal !== error)
      request.log.warn({ err: error }, 'unavailable')
    return sendRefusal(reply, request, refusal, catalogIn)
  })
}

export function sendRefusal(
  reply: FastifyReply,
  request: FastifyRequest,
  refusal: Refusal,
  catalogIn: CatalogIn,
): FastifyReply {
  const locale = localeOf(request)
  const catalog = catalogIn(locale)
  const { code, details } = refusal
  const { by, challenge, retryAfter } = details
  const fields = details.fieldsIn?.(locale) ?? details.fields
  const body: ErrorBody = {
    message: catalog.messages[code],
    code,
    ...(fields ? { fields: fieldMessages(fields, catalog) } : {}),
    ...(by === undefined ? {} : { by }),
    requestId: request.id,
    ...(challenge ? { challenge } : {}),
  }
  setLanguage(reply, locale)
  if (retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfter)))
  const status = ERROR_STATUS[code]
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

function fieldMessages(fields: Record<string, string>, catalog: Catalog): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, reason]) => [
      name,
      catalog.fields[reason] ?? catalog.messages[reason as ErrorCode] ?? reason,
    ]),
  )
}

/** Errors of Fastify itself, before the handler of a route runs. */
const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_json',
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isUnavailable(error)) return refuse('unavailable', { retryAfter: UNAVAILABLE_RETRY_SECONDS })
  const { code, statusCode } = error as FastifyError
  const known = FASTIFY_CODES[code]
  if (known) return refuse(known)
  // Malformed URLs and the like: Fastify reports them as client errors.
  const isClientError = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  return refuse(isClientError ? 'invalid_input' : 'internal')
}

/** A request without a route gets 405 if its path has other methods (`allow`), or else 404. */
export function refusalForUnknown(
  request: FastifyRequest,
  routes: readonly Route[],
): { refusal: Refusal; allow: string } {
  const path = request.url.split('?')[0] ?? ''
  const allow = path.startsWith('/api/') ? methodsOf(path, routes) : pageMethods(request)
  return { refusal: refuse(allow === '' ? 'not_found' : 'method_not_allowed'), allow }
}

function methodsOf(path: string, routes: readonly Route[]): string {
  const methods = routes
    .filter(({ endpoint }) => patternOf(endpoint.path).test(path))
    .flatMap(({ endpoint: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...new Set(methods)].join(', ')
}

/** All pages have the same methods. A GET without a route means that there is no such page. */
const pageMethods = ({ method }: FastifyRequest) => (method === 'GET' || method === 'HEAD' ? '' : 'GET, HEAD')

function patternOf(path: string): RegExp {
  return new RegExp(`^${API_BASE}${path.replace(/\/$/, '').replace(/:[a-zA-Z]+/g, '[^/]+')}/?$`)
}
