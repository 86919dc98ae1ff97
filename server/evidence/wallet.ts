import * as z from 'zod/mini'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { HttpClient } from '../platform/http-client.ts'
import { copyOf, couldNotTell, type Finding, type Source } from './finding.ts'
import { FINDING_WORDS } from './words.ts'

const CHECKS = ['wallet-kind', 'wallet-used'] as const

/** The wallet as the chain knows it: a plain account or a contract, and whether it was ever used. */
export function walletSource(outbound: HttpClient, rpcUrl: string, { chain }: CampaignFile): Source {
  const name = `chain ${chain.id} by JSON-RPC`
  const give = (why: string, seen?: Finding['seen']) => ({
    findings: couldNotTell({ name, checks: CHECKS }, why, { seen, again: {} }),
  })
  return {
    name,
    checks: CHECKS,
    async look({ wallet }) {
      // Asked first: on another chain every further answer would look right and be wrong.
      const id = await ask(outbound, rpcUrl, 'eth_chainId', [])
      if ('unclear' in id) return give(FINDING_WORDS.unclear(id.unclear))
      const asked = copyOf(JSON.stringify({ eth_chainId: id.result }), 200)
      if (quantity(id.result) !== BigInt(chain.id)) return give(FINDING_WORDS.otherChain(chain.id), asked)
      const [code, count, balance] = await Promise.all([
        ask(outbound, rpcUrl, 'eth_getCode', [wallet, 'latest']),
        ask(outbound, rpcUrl, 'eth_getTransactionCount', [wallet, 'latest']),
        ask(outbound, rpcUrl, 'eth_getBalance', [wallet, 'latest']),
      ])
      const failed = [code, count, balance].find((one) => 'unclear' in one)
      if (failed && 'unclear' in failed) return give(FINDING_WORDS.unclear(failed.unclear), asked)
      return judge(
        name,
        [id, code, count, balance].map((one) => ('result' in one ? one.result : '')),
        give,
      )
    },
  }
}

/** A quantity or data, as JSON-RPC writes both. */
const Answer = z.object({ result: z.string().check(z.regex(/^0x[0-9a-f]*$/i)) })

type Answered = { result: string } | { unclear: string }

async function ask(outbound: HttpClient, url: string, method: string, params: unknown[]): Promise<Answered> {
  const outcome = await outbound.request(url, {
    method: 'POST',
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  if ('unclear' in outcome) return outcome
  if ('refused' in outcome) return { unclear: `answered ${outcome.refused}` }
  const answer = z.safeParse(Answer, outcome.answer)
  return answer.success ? answer.data : { unclear: `answered ${method} with an error` }
}

/** At most 32 bytes; undefined for anything that is not a quantity. */
function quantity(text: string): bigint | undefined {
  return /^0x[0-9a-f]{1,64}$/i.test(text) ? BigInt(text) : undefined
}

type Give = (why: string, seen?: Finding['seen']) => { findings: Finding[] }

function judge(name: string, results: string[], give: Give): { findings: Finding[] } {
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
    return give(FINDING_WORDS.unclear('a number was not one'), seen)
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

/** A plain account that lends itself a contract's code (EIP-7702) stays a plain account. */
const isPlain = (code: string) => code === '0x' || /^0xef0100[0-9a-f]{40}$/i.test(code)
