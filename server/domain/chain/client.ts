import type { Rpc } from '#contract/proofs/rpc.ts'

/** The number of the newest block; undefined if the chain is unreachable. */
export type ReadBlock = () => Promise<number | undefined>

/** @param rpc of the campaign's chain. */
export function createChainClient(rpc: Rpc): ReadBlock {
  return async () => {
    const [reply] = await rpc([{ method: 'eth_blockNumber', params: [] }])
    return reply && 'result' in reply ? parseBlockNumber(reply.result) : undefined
  }
}

/** A JSON-RPC quantity of at most 52 bits, exact as a number. */
function parseBlockNumber(result: unknown): number | undefined {
  return typeof result === 'string' && /^0x[0-9a-f]{1,13}$/i.test(result) ? Number(result) : undefined
}
