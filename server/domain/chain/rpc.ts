import { createJsonRpc, forChain, type Post, type Rpc, type RpcFailure } from '#contract/token-proofs/rpc.ts'
import type { HttpClient } from '#server/platform/outbound/http-client.ts'

/** JSON-RPC calls whose replies count only if the node is on the chain. @param url CHAIN_RPC_URL. */
export function createChainRpc(http: HttpClient, url: string, chainId: number): Rpc {
  return forChain(createRpc(http, url), chainId)
}

/** JSON-RPC calls to a node of any chain, for callers that check the chain id. @param url CHAIN_RPC_URL. */
export function createRpc(http: HttpClient, url: string): Rpc {
  const post: Post = async (body) => {
    const { outcome, reply } = await http.requestWithReply(url, { method: 'POST', body })
    if (!reply) {
      const detail = 'unclear' in outcome ? outcome.unclear : 'failed'
      return { failure: { kind: 'unreachable', detail } }
    }
    if (reply.text === undefined) return { failure: { kind: 'too_large' } }
    return { status: reply.status, text: reply.text }
  }
  return createJsonRpc(post)
}

/** Completes "the node …", for logs and reviewers. */
export function describeRpcFailure(failure: RpcFailure): string {
  switch (failure.kind) {
    case 'unreachable':
      return failure.detail
    case 'status':
      return `answered ${failure.status}`
    case 'error':
      return `answered with error ${failure.code}`
    case 'too_large':
      return 'sent an answer that is too large'
    case 'garbage':
      return 'did not answer with JSON-RPC'
    case 'other_chain':
      return 'is on another chain'
  }
}

/** @param code from `eth_getCode`. An account that delegates to a contract (EIP-7702) is plain, too. */
export const isPlainAccount = (code: string): boolean => code === '0x' || /^0xef0100[0-9a-f]{40}$/i.test(code)
