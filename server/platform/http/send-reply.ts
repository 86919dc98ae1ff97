import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import type { Locale } from '#contract/locales.ts'
import type { Catalog, CatalogIn } from './errors.ts'
import { setLanguage } from './locale.ts'
import { CROSS_ORIGIN } from './security/security-headers.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Public answers may be cached for a second and read cross-origin (CORS). */
export const PUBLIC_JSON = {
  type: JSON_TYPE,
  headers: { 'cache-control': 'public, max-age=1, stale-while-revalidate=5', ...CROSS_ORIGIN },
  compression: 'fast',
} as const

/** A file for download, whose name and type replace those that the endpoint declares. */
export type NamedFile = { name: string; type: string; bytes: Readable }

export type Language = { locale: Locale; catalogIn: CatalogIn }

/** Sends a result, without fields that its endpoint does not declare. */
export function sendJson(
  endpoint: Endpoint,
  reply: FastifyReply,
  result: unknown,
  { locale, catalogIn }: Language,
): FastifyReply {
  setLanguage(reply, locale)
  return reply
    .code(endpoint.status)
    .type(JSON_TYPE)
    .header('cache-control', 'no-store')
    .send(serialize(endpoint, withMessageText(result, catalogIn(locale))))
}

/** If `message` names an answer in the catalog, replaces it with the text of this answer. */
function withMessageText(result: unknown, { answers }: Catalog): unknown {
  const { message } = result as { message?: unknown }
  return typeof message === 'string' && Object.hasOwn(answers, message)
    ? { ...(result as object), message: answers[message] }
    : result
}

export const serialize = ({ reply }: Endpoint, result: unknown) => JSON.stringify(z.parse(reply, result))

export function sendLines(
  endpoint: Endpoint,
  reply: FastifyReply,
  results: AsyncIterable<unknown> | [],
): FastifyReply {
  const bytes = Readable.from(results).map((result) => `${serialize(endpoint, result)}\n`)
  return sendFile(reply, { name: endpoint.lines ?? '', type: 'application/x-ndjson; charset=utf-8', bytes })
}

export function sendFile(reply: FastifyReply, { name, type, bytes }: NamedFile): FastifyReply {
  return reply
    .code(200)
    .type(type)
    .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
    .send(bytes)
}
