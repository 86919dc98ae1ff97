import { CHECK as CHECK_MESSAGES } from '#messages/check.js'
import type { RpcFailure } from '#contract/proofs/rpc.ts'
import { counted } from '../shared.ts'

/** Texts of the page where visitors check the claims themselves. */
export const CHECK = {
  ...CHECK_MESSAGES,
  differ: (count: number) =>
    `${counted(count, 'verdict differs', 'verdicts differ')} from this site’s. The chain may have changed since this site asked. If they still differ in a few minutes, trust the chain.`,
}

/** Why a node gave no answers, and what to do. */
export function failureWords(failure: RpcFailure, chain: { name: string; id: number }): string {
  switch (failure.kind) {
    case 'unreachable':
      return 'We couldn’t reach the node, or it doesn’t accept requests from web pages (CORS). Check the address, or try another node.'
    case 'status':
      return `The node refused the request (HTTP ${failure.status}). Try again later, or try another node.`
    case 'other_chain':
      return `This node is not on ${chain.name} (chain ${chain.id}); it reports ${failure.answered}. Its answers don’t count: try another node.`
    case 'error':
      return `The node answered with an error: ${failure.message}`
    case 'too_large':
      return 'The node’s answer was too long to read. Try another node.'
    case 'garbage':
      return 'This address doesn’t respond like a node. Check it, or try another one.'
  }
}
