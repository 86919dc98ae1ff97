import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'

type NodeCall = { id: unknown; method: string; params: unknown[] }

export type RpcAnswer = { result: unknown } | { error: { code: number; message: string; data?: string } }

export const methodNotFound = (method: string): RpcAnswer => ({
  error: { code: -32601, message: `the method ${method} does not exist/is not available` },
})

/** A fake JSON-RPC node for single calls and batches. */
export function jsonRpcNode(answer: (method: string, params: unknown[]) => RpcAnswer): RequestListener {
  const replyTo = ({ id, method, params }: NodeCall) => ({ jsonrpc: '2.0', id, ...answer(method, params) })
  return (request, response) =>
    void text(request).then((body) => {
      const calls = JSON.parse(body) as NodeCall | NodeCall[]
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(Array.isArray(calls) ? calls.map(replyTo) : replyTo(calls)))
    })
}

/** A node of PulseChain at block 100, without any transfers. */
export const nodeWithoutTransfers = jsonRpcNode((method, [number]) => {
  const results: Record<string, unknown> = {
    eth_chainId: '0x171',
    eth_blockNumber: '0x64',
    eth_getLogs: [],
    eth_getBlockByNumber: { number, hash: `0x${'1'.repeat(64)}`, timestamp: '0x0' },
  }
  return { result: results[method] }
})
