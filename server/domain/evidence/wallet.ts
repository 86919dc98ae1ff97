import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Rpc, RpcReply } from '#contract/proofs/rpc.ts'
import { isPlainAccount } from '../chain/account-code.ts'
import { describeRpcFailure } from '../chain/rpc.ts'
import { copyOf, couldNotTell, type Finding, type Source } from './finding.ts'
import { FINDING_WORDS } from './words.ts'

const CHECKS = ['wallet-kind', 'wallet-used'] as const
const METHODS = ['eth_getCode', 'eth_getTransactionCount', 'eth_getBalance'] as const

/**
 * Checks on the chain whether the wallet is a plain account or a contract, and whether it was ever used.
 * @param rpc of the campaign's chain: a node of another gives plausible but wrong answers.
 */
export function walletSource(rpc: Rpc, { chain }: Pick<CampaignFile, 'chain'>): Source {
  const name = `chain ${chain.id} by JSON-RPC`
  const inconclusive = (why: string, seen?: Finding['seen']) => ({
    findings: couldNotTell({ name, checks: CHECKS }, why, { seen, retry: {} }),
  })
  return {
    name,
    checks: CHECKS,
    async run({ wallet }) {
      const replies = await rpc(METHODS.map((method) => ({ method, params: [wallet, 'latest'] })))
      const failed = replies.find((reply) => 'failure' in reply)
      if (failed && failed.failure.kind === 'other_chain') {
        const answer = JSON.stringify({ eth_chainId: failed.failure.answered })
        return inconclusive(FINDING_WORDS.otherChain(chain.id), copyOf(answer, 200))
      }
      if (failed) return inconclusive(FINDING_WORDS.unclear(describeRpcFailure(failed.failure)))
      return judge(name, replies.map(hexOf), inconclusive)
    },
  }
}

/** Empty for anything that is no quantity or data. */
function hexOf(reply: RpcReply): string {
  const result = 'result' in reply ? reply.result : undefined
  return typeof result === 'string' && /^0x[0-9a-f]*$/i.test(result) ? result : ''
}

/** Parses a quantity of at most 32 bytes. */
function quantity(text: string): bigint | undefined {
  return /^0x[0-9a-f]{1,64}$/i.test(text) ? BigInt(text) : undefined
}

type Inconclusive = (why: string, seen?: Finding['seen']) => { findings: Finding[] }

function judge(name: string, results: string[], inconclusive: Inconclusive): { findings: Finding[] } {
  const [code = '', sent = '', held = ''] = results
  const seen = copyOf(
    JSON.stringify({ eth_getCode: code, eth_getTransactionCount: sent, eth_getBalance: held }),
    200,
  )
  if (!code) return inconclusive(FINDING_WORDS.unclear('the contract code was unreadable'), seen)
  const count = quantity(sent)
  const balance = quantity(held)
  if (count === undefined || balance === undefined)
    return inconclusive(FINDING_WORDS.unclear('a number was unreadable'), seen)
  const isUsed = count > 0n || balance > 0n
  const used =
    count > 0n
      ? FINDING_WORDS.walletSent(count)
      : isUsed
        ? FINDING_WORDS.walletHolds
        : FINDING_WORDS.walletUnused
  return {
    findings: [
      {
        check: 'wallet-kind',
        outcome: isPlainAccount(code) ? 'confirmed' : 'contradicted',
        detail: isPlainAccount(code) ? FINDING_WORDS.walletPlain : FINDING_WORDS.walletContract,
        source: name,
        seen,
      },
      {
        check: 'wallet-used',
        outcome: isUsed ? 'confirmed' : 'contradicted',
        detail: used,
        source: name,
        seen,
      },
    ],
  }
}
