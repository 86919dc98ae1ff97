import * as z from 'zod/mini'
import type { HttpClient } from '#server/platform/http-client.ts'

/** The number of the newest block; undefined if the chain is unreachable. */
export type ReadBlock = () => Promise<number | undefined>

/** A JSON-RPC quantity of at most 52 bits, exact as a number. */
const BlockNumber = z.object({ result: z.string().check(z.regex(/^0x[0-9a-f]{1,13}$/i)) })

/** @param rpcUrl CHAIN_RPC_URL, a JSON-RPC endpoint of the chain. */
export function createChainClient(http: HttpClient, rpcUrl: string): ReadBlock {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
  return async () => {
    const outcome = await http.request(rpcUrl, { method: 'POST', body })
    const parsed = z.safeParse(BlockNumber, 'answer' in outcome ? outcome.answer : undefined)
    return parsed.success ? Number(parsed.data.result) : undefined
  }
}
