import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/protocol/endpoint.ts'
import { API_DOCS_STYLE, apiDocsPage } from './api-docs.ts'
import { CROSS_ORIGIN } from '../security/security-headers.ts'
import { openApi } from './openapi.ts'

type About = { name: string; publicUrl: string }

/** Serves the API documentation: OpenAPI at /api/openapi.json and HTML at /api/docs. */
export function addApiDocs(app: FastifyInstance, endpoints: readonly Endpoint[], about: About) {
  const document = openApi(endpoints, about)
  const page = apiDocsPage(about.name, endpoints, (endpoint) => fieldsIn(document, endpoint))
  const files = {
    '/api/openapi.json': ['application/json; charset=utf-8', JSON.stringify(document)],
    '/api/docs': ['text/html; charset=utf-8', page],
    '/api/docs.css': ['text/css; charset=utf-8', API_DOCS_STYLE],
  }
  for (const [path, [type, body]] of Object.entries(files)) {
    app.get(path, async (_request, reply) =>
      reply
        .type(type ?? '')
        .header('cache-control', 'public, max-age=60')
        .headers(path.endsWith('.json') ? CROSS_ORIGIN : {})
        .send(body),
    )
  }
}

type Operation = {
  requestBody?: { content: { 'application/json': { schema: { properties?: object } } } }
  parameters: { name: string; schema: object }[]
}

function fieldsIn(document: ReturnType<typeof openApi>, endpoint: Endpoint) {
  const path = endpoint.path.replace(/:([a-zA-Z]+)/g, '{$1}')
  const operation = document.paths[path]?.[endpoint.method.toLowerCase()] as unknown as Operation
  const body = operation.requestBody?.content['application/json'].schema.properties ?? {}
  return { ...Object.fromEntries(operation.parameters.map(({ name, schema }) => [name, schema])), ...body }
}
