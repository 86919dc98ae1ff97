import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { CROSS_ORIGIN } from '../security/security-headers.ts'
import { openApi } from './openapi.ts'

/**
 * Serves the OpenAPI document at /api/openapi.json, to programs on other origins too.
 * @param about is read at each request, because the name may change.
 */
export function addOpenApi(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  about: { readonly name: string; publicUrl: string },
) {
  let written: { name: string; document: string } | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    const { name, publicUrl } = about
    if (written?.name !== name)
      written = { name, document: JSON.stringify(openApi(endpoints, { name, publicUrl })) }
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .headers(CROSS_ORIGIN)
      .send(written.document)
  })
}
