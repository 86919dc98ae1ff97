import type { RequestListener } from 'node:http'
import { type LocalServer, serve } from '#server/testing/fakes/http-stub.ts'
import { jsonRpcNode, methodNotFound } from '#server/testing/fakes/json-rpc.ts'

/**
 * Starts a node that has only these methods, each with its result; or one that answers everything with this
 * text.
 * @param options.isReadableByPages whether it lets web pages of other origins read its answers (CORS).
 */
export function startFakeNode(
  answers: Record<string, unknown> | string,
  { isReadableByPages = true } = {},
): Promise<LocalServer> {
  const reply: RequestListener =
    typeof answers === 'string'
      ? (_request, response) => void response.end(answers)
      : jsonRpcNode((method) => (method in answers ? { result: answers[method] } : methodNotFound(method)))
  return serve((request, response) => {
    if (isReadableByPages) {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', '*')
    }
    if (request.method === 'OPTIONS') response.end()
    else reply(request, response)
  })
}
