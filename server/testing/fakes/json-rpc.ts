import type { IncomingMessage, RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'

type Call = { id: unknown; method: string; params: unknown[] }

/** What a fake node answers: the result, or an error. */
export type RpcAnswer = { result: unknown } | { error: { code: number; message: string; data?: string } }

/** A fake JSON-RPC node for single calls and batches; `answer` gives the reply to each call. */
export function jsonRpcNode(answer: (method: string, params: unknown[]) => RpcAnswer): RequestListener {
  const replyTo = ({ id, method, params }: Call) => ({ jsonrpc: '2.0', id, ...answer(method, params) })
  return (request, response) =>
    void readCalls(request).then((calls) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(Array.isArray(calls) ? calls.map(replyTo) : replyTo(calls))),
    )
}

async function readCalls(request: IncomingMessage): Promise<Call | Call[]> {
  return JSON.parse(await text(request)) as Call | Call[]
}
