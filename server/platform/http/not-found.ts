import type { FastifyRequest } from 'fastify'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { refuse, type Refusal } from '../refusal.ts'
import type { Route } from './route.ts'

/** Refusal for a request without a route: 405 if another method has one. */
export function refusalForUnknown(
  request: FastifyRequest,
  routes: readonly Route[],
): { refusal: Refusal; allow: string } {
  const path = request.url.split('?')[0] ?? ''
  const allow = path.startsWith('/api/') ? methodsOf(path, routes) : pageMethods(request)
  return { refusal: refuse(allow === '' ? 'not_found' : 'method_not_allowed'), allow }
}

function methodsOf(path: string, routes: readonly Route[]): string {
  return routes
    .filter(({ endpoint }) => patternOf(endpoint.path).test(path))
    .flatMap(({ endpoint: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

/** Pages and files accept only GET and HEAD. */
const pageMethods = ({ method }: FastifyRequest) => (method === 'GET' || method === 'HEAD' ? '' : 'GET, HEAD')

function patternOf(path: string): RegExp {
  return new RegExp(`^${API_BASE}${path.replace(/\/$/, '').replace(/:[a-zA-Z]+/g, '[^/]+')}/?$`)
}
