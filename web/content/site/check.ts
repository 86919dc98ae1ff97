import { RPC_FAILURES } from '#messages/check.js'
import type { RpcFailure } from '#contract/token-proofs/rpc.ts'

/** Why a node gave no answers, and what to do. */
export function failureWords(failure: RpcFailure, { name, id }: { name: string; id: number }): string {
  switch (failure.kind) {
    case 'status':
      return RPC_FAILURES.status({ status: failure.status })
    case 'other_chain':
      return RPC_FAILURES.other_chain({ chain: name, id, answered: failure.answered })
    case 'error':
      return RPC_FAILURES.error({ message: failure.message })
    case 'unreachable':
    case 'too_large':
    case 'garbage':
      return RPC_FAILURES[failure.kind]
  }
}
