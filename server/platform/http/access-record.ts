import type { FastifyReply, FastifyRequest } from 'fastify'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** What a path of ours, or a scanner's, is made of; too short for a bearer, and without room for a code of digits. */
const WORD = /^(?!.*\d{6})[\w.~-]{1,40}$/
const NAME = /^[a-z][a-z_-]{0,31}$/i
const MOST_NAMES = 10
const MOST_SEGMENTS = 12
const LEFT_OUT = '-'

/** What was asked for: the path and the names of the parameters. Their values are the caller's own business. */
export function requestRecord(request: FastifyRequest) {
  const names = parameterNames(request.url)
  return { method: request.method, path: pathOf(request), ...(names.length > 0 ? { parameters: names } : {}) }
}

/** A line of the access log. @param network stands for where the call came from. */
export const accessRecord = (request: FastifyRequest, reply: FastifyReply, network: string | undefined) => ({
  ...requestRecord(request),
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
  network,
})

/** The pattern of the route with the ids that were in it; an address without one shows its plain words. */
function pathOf({ url, params, routeOptions }: FastifyRequest): string {
  const pattern = routeOptions?.url
  if (pattern === undefined || pattern.includes('*')) return plainPath(url)
  return pattern.replace(/:(\w+)(\([^)]*\))?/g, (_all, name: string) => {
    const value = (params as Record<string, string> | undefined)?.[name] ?? ''
    return UUID.test(value) ? value : LEFT_OUT
  })
}

function plainPath(url: string): string {
  const segments = (url.split(/[?#]/)[0] ?? '').split('/').slice(1)
  const shown = segments.slice(0, MOST_SEGMENTS).map((segment) => (isPlain(segment) ? segment : LEFT_OUT))
  return `/${shown.join('/')}${segments.length > MOST_SEGMENTS ? '/…' : ''}`
}

const isPlain = (segment: string) => segment === '' || WORD.test(segment) || UUID.test(segment)

/** A name that is none (`?al@mail.example`, `?token123`) is left out as well. */
export function parameterNames(url: string): string[] {
  const query = url.split('#')[0]?.split('?').slice(1).join('?') ?? ''
  const names = query.split('&').map((pair) => pair.split('=')[0] ?? '')
  return plainNames(names.filter((name) => name !== ''))
}

/** Names as the log shows them: each once, and a stranger's inventions as a dash. */
export function plainNames(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => (NAME.test(name) ? name : LEFT_OUT)))].slice(0, MOST_NAMES)
}
