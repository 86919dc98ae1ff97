import * as z from 'zod/mini'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { HttpClient } from '#server/platform/http-client.ts'
import { copyOf, couldNotTell, type Finding, type Source } from './finding.ts'
import { FINDING_WORDS } from './words.ts'

const CHECKS = ['wallet-kind', 'wallet-used'] as const

/** Checks on the chain whether the wallet is a plain account or a contract, and whether it was ever used. */
export function walletSource(http: HttpClient, rpcUrl: string, { chain }: CampaignFile): Source {
  const name = `chain ${chain.id} by JSON-RPC`
  const inconclusive = (why: string, seen?: Finding['seen']) => ({
    findings: couldNotTell({ name, checks: CHECKS }, why, { seen, retry: {} }),
  })
  return {
    name,
    checks: CHECKS,
    async run({ wallet }) {
      // First, because a node of another chain gives plausible but wrong answers.
      const id = await call(http, rpcUrl, 'eth_chainId', [])
      if ('unclear' in id) return inconclusive(FINDING_WORDS.unclear(id.unclear))
      const chainReply = copyOf(JSON.stringify({ eth_chainId: id.result }), 200)
      if (quantity(id.result) !== BigInt(chain.id))
        return inconclusive(FINDING_WORDS.otherChain(chain.id), chainReply)
      const [code, count, balance] = await Promise.all([
        call(http, rpcUrl, 'eth_getCode', [wallet, 'latest']),
        call(http, rpcUrl, 'eth_getTransactionCount', [wallet, 'latest']),
        call(http, rpcUrl, 'eth_getBalance', [wallet, 'latest']),
      ])
      const failed = [code, count, balance].find((one) => 'unclear' in one)
      if (failed && 'unclear' in failed)
        return inconclusive(FINDING_WORDS.unclear(failed.unclear), chainReply)
      return judge(
        name,
        [id, code, count, balance].map((one) => ('result' in one ? one.result : '')),
        inconclusive,
      )
    },
  }
}

/** A JSON-RPC quantity or data. */
const Answer = z.object({ result: z.string().check(z.regex(/^0x[0-9a-f]*$/i)) })

type CallResult = { result: string } | { unclear: string }

async function call(http: HttpClient, url: string, method: string, params: unknown[]): Promise<CallResult> {
  const outcome = await http.request(url, {
    method: 'POST',
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  if ('unclear' in outcome) return outcome
  if ('refused' in outcome) return { unclear: `answered ${outcome.refused}` }
  const answer = z.safeParse(Answer, outcome.answer)
  return answer.success ? answer.data : { unclear: `answered ${method} with an error` }
}

/** Parses a quantity of at most 32 bytes. */
function quantity(text: string): bigint | undefined {
  return /^0x[0-9a-f]{1,64}$/i.test(text) ? BigInt(text) : undefined
}

type Inconclusive = (why: string, seen?: Finding['seen']) => { findings: Finding[] }

function judge(name: string, results: string[], inconclusive: Inconclusive): { findings: Finding[] } {
  const [chainId = '', code = '', sent = '', held = ''] = results
  const seen = copyOf(
    JSON.stringify({
      eth_chainId: chainId,
      eth_getCode: code,
      eth_getTransactionCount: sent,
      eth_getBalance: held,
    }),
    200,
  )
  const count = quantity(sent)
  const balance = quantity(held)
  if (count === undefined || balance === undefined)
    return inconclusive(FINDING_WORDS.unclear('a number was not one'), seen)
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
        outcome: isPlain(code) ? 'confirmed' : 'contradicted',
        detail: isPlain(code) ? FINDING_WORDS.walletPlain : FINDING_WORDS.walletContract,
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

/** An account that delegates to contract code (EIP-7702) is still a plain account. */
const isPlain = (code: string) => code === '0x' || /^0xef0100[0-9a-f]{40}$/i.test(code)
