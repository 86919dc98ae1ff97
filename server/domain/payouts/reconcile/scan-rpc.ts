import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { createRpc } from '#server/domain/chain/rpc.ts'
import { createHttpClient } from '#server/platform/http-client.ts'

/**
 * Calls to a node of any chain for reading transfers. One block may have thousands of them, so that replies are larger
 * and slower than others.
 * @param url CHAIN_RPC_URL.
 */
export function createScanRpc(url: string): Rpc {
  const http = createHttpClient({ allow: [url], timeout: 20_000, maxBytes: 32 * 1024 * 1024, concurrency: 1 })
  return createRpc(http, url)
}
