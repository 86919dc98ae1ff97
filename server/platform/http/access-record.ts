import type { FastifyReply, FastifyRequest } from 'fastify'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** A plain path segment: too short for a token, and without the six digits of a code. */
const WORD = /^(?!.*\d{6})[\w.~-]{1,40}$/
const NAME = /^[a-z][a-z_-]{0,31}$/i
const MAX_NAMES = 10
const MAX_SEGMENTS = 12
const MASK = '-'

/** Method, path and parameter names of a request. Parameter values may be personal and are not logged. */
export function requestRecord(request: FastifyRequest) {
  const names = parameterNames(request.url)
  return { method: request.method, path: pathOf(request), ...(names.length > 0 ? { parameters: names } : {}) }
}

/** A line of the access log. @param network keyed hash of the caller's network. */
export const accessRecord = (request: FastifyRequest, reply: FastifyReply, network: string | undefined) => ({
  ...requestRecord(request),
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
  network,
})

/** The route pattern with its ids filled in; without one, or with a wildcard, the URL's plain segments. */
function pathOf({ url, params, routeOptions }: FastifyRequest): string {
  const pattern = routeOptions?.url
  if (pattern === undefined || pattern.includes('*')) return plainPath(url)
  return pattern.replace(/:(\w+)(\([^)]*\))?/g, (_all, name: string) => {
    const value = (params as Record<string, string> | undefined)?.[name] ?? ''
    return UUID.test(value) ? value : MASK
  })
}

function plainPath(url: string): string {
  const segments = (url.split(/[?#]/)[0] ?? '').split('/').slice(1)
  const shown = segments.slice(0, MAX_SEGMENTS).map((segment) => (isPlain(segment) ? segment : MASK))
  return `/${shown.join('/')}${segments.length > MAX_SEGMENTS ? '/…' : ''}`
}

const isPlain = (segment: string) => segment === '' || WORD.test(segment) || UUID.test(segment)

/** Names of query parameters; masks what is not a name (`?al@mail.example`, `?token123`). */
function parameterNames(url: string): string[] {
  const query = url.split('#')[0]?.split('?').slice(1).join('?') ?? ''
  const names = query.split('&').map((pair) => pair.split('=')[0] ?? '')
  return plainNames(names.filter((name) => name !== ''))
}

export function plainNames(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => (NAME.test(name) ? name : MASK)))].slice(0, MAX_NAMES)
}
