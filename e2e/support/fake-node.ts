import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Call = { id: number; method: string }
type Answers = Record<string, unknown>

/** A node that gives the answers of a test; other methods do not exist. */
export type FakeNode = { url: string; close: () => Promise<void> }

/** @param cors whether it lets web pages read its answers. */
export async function startFakeNode(answers: Answers | string, { cors = true } = {}): Promise<FakeNode> {
  const allowed = cors ? { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' } : {}
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      response.writeHead(200, { ...allowed, 'content-type': 'application/json' })
      response.end(request.method === 'OPTIONS' ? '' : answer(body, answers))
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

function answer(body: string, answers: Answers | string): string {
  if (typeof answers === 'string') return answers
  const calls = JSON.parse(body) as Call | Call[]
  const reply = ({ id, method }: Call) => ({
    jsonrpc: '2.0',
    id,
    ...(method in answers
      ? { result: answers[method] }
      : { error: { code: -32601, message: `the method ${method} does not exist` } }),
  })
  return JSON.stringify(Array.isArray(calls) ? calls.map(reply) : reply(calls))
}
