import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Hex } from 'viem'
import type { Anvil } from '../fakes/anvil.ts'
import type { RpcAnswer, NodeCall } from '../fakes/json-rpc.ts'

type Reply = { jsonrpc: '2.0'; id: unknown } & RpcAnswer

export type Faults = {
  /** Replaces the answer of the chain to a call; undefined keeps it. */
  answer?: (call: NodeCall, answer: RpcAnswer) => RpcAnswer | undefined
  /** Replaces the body of the reply to a batch; undefined keeps it. */
  batch?: (replies: Reply[]) => unknown
}

/** A node of the chain with faults, for `serveStub`. */
export function faultyNode(chain: Anvil, { answer, batch }: Faults): RequestListener {
  const alter = (call: NodeCall, reply: Reply): Reply => ({
    jsonrpc: '2.0',
    id: reply.id,
    ...(answer?.(call, reply) ?? reply),
  })
  const bodyFor = async (request: NodeCall | NodeCall[]): Promise<unknown> => {
    if (!Array.isArray(request)) return alter(request, (await forward(chain, request)) as Reply)
    const replies = (await forward(chain, request)) as Reply[]
    const altered = request.map((call, index) => alter(call, replies[index] as Reply))
    return batch?.(altered) ?? altered
  }
  return (request, response) =>
    void text(request)
      .then((body) => bodyFor(JSON.parse(body) as NodeCall | NodeCall[]))
      .then((body) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
}

async function forward({ url }: Anvil, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return reply.json()
}

const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Puts Multicall3 where PulseChain has it. viem ships its creation code, but not as an export. */
export async function placeMulticall(chain: Anvil): Promise<void> {
  const constants = new URL('./constants/contracts.js', import.meta.resolve('viem')).href
  const { multicall3Bytecode } = (await import(constants)) as { multicall3Bytecode: Hex }
  const code = await chain.call('eth_call', [{ data: multicall3Bytecode }, 'latest'])
  await chain.call('anvil_setCode', [MULTICALL, code])
}
