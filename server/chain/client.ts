import * as z from 'zod/mini'
import type { HttpClient } from '../platform/http-client.ts'

/** The number of the newest block, or undefined when the chain could not be asked. */
export type ReadBlock = () => Promise<number | undefined>

/** A quantity as JSON-RPC writes it; 52 bits at most, so that it is exact as a number. */
const BlockNumber = z.object({ result: z.string().check(z.regex(/^0x[0-9a-f]{1,13}$/i)) })

/** @param rpcUrl CHAIN_RPC_URL, a JSON-RPC endpoint of the chain. */
export function createChainClient(outbound: HttpClient, rpcUrl: string): ReadBlock {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }
  return async () => {
    const outcome = await outbound.request(rpcUrl, { method: 'POST', body })
    const parsed = z.safeParse(BlockNumber, 'answer' in outcome ? outcome.answer : undefined)
    return parsed.success ? Number(parsed.data.result) : undefined
  }
}
