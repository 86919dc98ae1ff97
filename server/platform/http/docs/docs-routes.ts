import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { CROSS_ORIGIN } from '../security/security-headers.ts'
import { openApi } from './openapi.ts'

/** Serves the OpenAPI document at /api/openapi.json, to programs on other origins too. */
export function addOpenApi(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  about: { name: string; publicUrl: string },
) {
  const document = JSON.stringify(openApi(endpoints, about))
  app.get('/api/openapi.json', async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .headers(CROSS_ORIGIN)
      .send(document),
  )
}
