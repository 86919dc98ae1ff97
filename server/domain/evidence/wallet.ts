import type { CampaignFile } from '#contract/campaign-file.ts'
import type { EvidenceCheck } from '#contract/claims/evidence.ts'
import type { Rpc, RpcFailure } from '#contract/token-proofs/rpc.ts'
import { isPlainAccount } from '../chain/rpc.ts'
import { resultOf, toBigInt, toBytes, toNumber } from '../chain/rpc-values.ts'
import { type ClaimToCheck, copyOf, couldNotTell, type Finding, type Source, type Found } from './finding.ts'

const CHECKS = ['wallet-kind', 'wallet-used'] as const
const METHODS = ['eth_getCode', 'eth_getTransactionCount', 'eth_getBalance'] as const
const HTTP_OK = 200

/**
 * Checks on the chain whether the wallet is a plain account or a contract, and whether it was ever used.
 * @param rpc calls a node, and fails for a node of another chain, which would give plausible wrong answers.
 */
export function walletSource(rpc: Rpc, { chain }: Pick<CampaignFile, 'chain'>): Source {
  const name = `chain ${chain.id} by JSON-RPC`
  const inconclusive = (found: Found, copy?: Finding['copy']) => ({
    findings: couldNotTell({ name, checks: CHECKS }, found, { copy, retry: {} }),
  })
  return {
    name,
    checks: CHECKS,
    async run({ wallet }) {
      const replies = await rpc(METHODS.map((method) => ({ method, params: [wallet, 'latest'] })))
      const failure = replies.find((reply) => 'failure' in reply)?.failure
      if (failure?.kind === 'other_chain') {
        const answer = JSON.stringify({ eth_chainId: failure.answered })
        return inconclusive({ code: 'other_chain', id: chain.id }, copyOf(answer, HTTP_OK))
      }
      if (failure) return inconclusive(foundAfter(failure))
      return judge(name, replies.map(resultOf), inconclusive)
    },
  }
}

function foundAfter(failure: Exclude<RpcFailure, { kind: 'other_chain' }>): Found {
  switch (failure.kind) {
    case 'status':
      return { code: 'answered_status', status: failure.status }
    case 'error':
      return { code: 'answered_error', number: failure.code }
    case 'unreachable':
      return { code: 'unreachable' }
    case 'too_large':
    case 'garbage':
      return { code: 'unknown_format' }
  }
}

type Inconclusive = (found: Found, copy?: Finding['copy']) => { findings: Finding[] }

function judge(name: string, results: unknown[], inconclusive: Inconclusive): { findings: Finding[] } {
  const [code, count, balance] = [toBytes(results[0]), toNumber(results[1]), toBigInt(results[2])]
  const replies = METHODS.map((method, index) => [method, results[index]])
  const copy = copyOf(JSON.stringify(Object.fromEntries(replies)), HTTP_OK)
  if (code === undefined || count === undefined || balance === undefined)
    return inconclusive({ code: 'unknown_format' }, copy)
  const finding = (check: EvidenceCheck, isConfirmed: boolean, found: Found): Finding => {
    return { check, outcome: isConfirmed ? 'confirmed' : 'contradicted', found, source: name, copy }
  }
  const isPlain = isPlainAccount(code)
  const kind: Found = { code: isPlain ? 'wallet_plain' : 'wallet_contract' }
  const use = useOf(count, balance)
  const isUsed = use.code !== 'wallet_unused'
  return { findings: [finding('wallet-kind', isPlain, kind), finding('wallet-used', isUsed, use)] }
}

function useOf(count: number, balance: bigint): Found {
  if (count > 0) return { code: 'wallet_sent', count }
  return { code: balance > 0n ? 'wallet_holds' : 'wallet_unused' }
}

/** Checks whether the participant has proven the claim's wallet. Sends no requests. */
export const walletOwnerSource: Source = {
  name: 'wallet signature',
  checks: ['wallet-owned'],
  run: async (claim) => ({ findings: [checkOwner(claim)] }),
}

type WalletOwnership = Pick<ClaimToCheck, 'wallet' | 'proven_wallet' | 'proven_kind' | 'is_proven_by_other'>

/** Proving a wallet is optional, so only another participant's proof contradicts the claim. */
export function checkOwner(claim: WalletOwnership): Finding {
  const finding = (outcome: Finding['outcome'], found: Found): Finding => {
    return { check: 'wallet-owned', outcome, found, source: walletOwnerSource.name }
  }
  const { wallet, proven_wallet: proven, proven_kind: kind, is_proven_by_other: isProvenByOther } = claim
  if (proven?.toLowerCase() === wallet.toLowerCase())
    return finding('confirmed', { code: kind === 'contract' ? 'wallet_proven_contract' : 'wallet_proven' })
  if (isProvenByOther) return finding('contradicted', { code: 'wallet_of_other' })
  if (proven === null) return finding('could_not_tell', { code: 'wallet_not_proven' })
  return finding('could_not_tell', { code: 'wallet_proven_other', address: proven })
}
