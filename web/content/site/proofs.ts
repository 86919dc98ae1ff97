import { INTL_TAG } from '#messages/locale.js'
import {
  ANSWERS,
  LIMITS,
  QUESTIONS,
  VERDICT_NAMES,
  VERDICT_STAMPS as PLACEHOLDER_STAMP,
} from '#messages/proofs.js'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Pool, ProofClaim, Verdict } from '#contract/token-proofs/proof.ts'
import { bodyOf, type RpcCall } from '#contract/token-proofs/rpc.ts'
import { marketsOf } from '#contract/token-proofs/subject.ts'
import type { ShownReason } from '#contract/token-proofs.ts'
import { shortenAddress } from '#web/ui/text/format.ts'
import { listInWords } from '../lists.ts'
import { groupedSupply, groupedUnits } from '../units.ts'

type Stated = Pick<CampaignFile, 'token' | 'chain'>

type ProofWords = {
  ANSWERS: typeof ANSWERS
  LIMITS: typeof LIMITS
  QUESTIONS: typeof QUESTIONS
  intlTag: string
}

/** The words of the build's language; on the server, of the default language. */
const WORDS: ProofWords = { ANSWERS, LIMITS, QUESTIONS, intlTag: INTL_TAG }

export function questionOf(claim: ProofClaim, { token, chain }: Stated, words = WORDS): string {
  const questions = words.QUESTIONS
  switch (claim) {
    case 'chain':
      return questions.chain({ chain: chain.name, id: chain.id })
    case 'ownership':
      return questions.ownership
    case 'supply':
      return questions.supply({ supply: groupedSupply(token, words.intlTag), symbol: token.symbol })
    case 'liquidity': {
      const names = marketsOf(chain)?.exchanges.map(({ name }) => name) ?? []
      return names.length === 0
        ? questions.liquidity
        : questions.liquidityOn({ exchanges: listed(names, words) })
    }
    case 'tax':
      return questions.tax({ symbol: token.symbol })
  }
}

/** What a token proof leaves open, in one or a few sentences. */
export function limitsOf(claim: ProofClaim, reason: ShownReason, words = WORDS): string {
  const limits = words.LIMITS
  // By these methods, a trade runs within a contract, which a token can tell from a person.
  const isWeak = 'method' in reason && (reason.method === 'probe' || reason.method === 'multicall')
  return isWeak ? `${limits[claim]} ${limits.weakTrade}` : limits[claim]
}

/** What the chain answered, or why it gave no answer, in one or two sentences. */
export function answerOf(reason: ShownReason, { token, chain }: Stated, words = WORDS): string {
  const answers = words.ANSWERS
  const { symbol } = token
  const units = (digits: string, decimals: number) => groupedUnits(BigInt(digits), decimals, words.intlTag)
  const trade = ({ exchange, quote }: { exchange: string; quote: string }) => ({ exchange, quote, symbol })
  switch (reason.code) {
    case 'right_chain':
      return answers.right_chain({ chain: chain.name, id: reason.chainId, bytes: reason.bytes })
    case 'no_code':
      return answers.no_code({ chain: chain.name, id: reason.chainId })
    case 'renounced':
      return reason.owner === null
        ? answers.ownerless
        : answers.renounced({ owner: shortenAddress(reason.owner) })
    case 'owned':
      return answers.owned({ owner: shortenAddress(reason.owner) })
    case 'upgradeable':
      return answers.upgradeable({ slot: reason.slot, address: shortenAddress(reason.address) })
    case 'clone':
      return answers.clone({ target: shortenAddress(reason.target) })
    case 'role_held':
      // OpenZeppelin's DEFAULT_ADMIN_ROLE is 0.
      return /^0x0*$/.test(reason.role)
        ? answers.admin_held({ account: shortenAddress(reason.account) })
        : answers.role_held({ account: shortenAddress(reason.account), role: shortenAddress(reason.role) })
    case 'mint_seen':
      return answers.mint_seen(reason)
    case 'foreign_code':
      return answers.foreign_code(reason)
    case 'supply_as_stated':
    case 'changeable_code':
      return answers[reason.code]({ supply: units(reason.supply, reason.decimals), symbol })
    case 'supply_smaller':
    case 'supply_larger':
      return answers[reason.code]({
        supply: units(reason.supply, reason.decimals),
        symbol,
        stated: units(reason.stated, reason.decimals),
      })
    case 'decimals_differ':
      return answers.decimals_differ(reason)
    case 'mintable':
      return answers.mintable({
        supply: units(reason.supply, reason.decimals),
        symbol,
        signature: reason.signature,
      })
    case 'burned':
    case 'partly_burned':
      return answers.burned({
        percent: percent(reason.burnedBps, words),
        pools: poolsIn(reason.pools, words),
      })
    case 'not_burned':
      return answers.not_burned({ pools: poolsIn(reason.pools, words) })
    case 'no_pool':
      return answers.no_pool({ exchanges: listed(reason.exchanges, words) })
    case 'pool_unweighed':
      return answers.pool_unweighed(reason.pool)
    case 'no_tax':
      return answers.no_tax({ ...trade(reason), method: reason.method })
    case 'taxed':
      return answers.taxed({ ...trade(reason), method: reason.method, taxes: taxesIn(reason, words) })
    case 'sell_fails':
    case 'transfer_fails':
    case 'sell_fails_at_once':
    case 'part_unsold':
    case 'buy_fails':
      return answers[reason.code](trade(reason))
    case 'pool_too_small':
      return answers.pool_too_small(reason)
    case 'router_differs':
      return answers.router_differs(reason)
    case 'no_markets':
      return answers.no_markets({ chain: chain.name })
    case 'other_chain':
      return answers.other_chain({ chain: chain.name, id: reason.expected })
    case 'no_answer':
    case 'odd_answer':
      return answers[reason.code]({ method: reason.method })
    case 'old_block':
      return answers.old_block({ block: reason.block, time: utc(reason.time) })
    case 'roles_unread':
    case 'unreadable_code':
    case 'no_simulation':
    case 'placeholder':
    case 'nothing_there':
    case 'heads_differ':
    case 'not_checked':
      return answers[reason.code]
  }
}

/**
 * A command that makes the calls again. `-g` keeps curl from reading brackets in the address as a range.
 * @param rpcUrl the public one, never an operator's own.
 */
export function curlCommand(rpcUrl: string, calls: readonly RpcCall[]): string {
  const bodies = calls.map(bodyOf)
  const json = JSON.stringify(bodies.length === 1 ? bodies[0] : bodies)
  return `curl -sg ${quoted(rpcUrl)} -H 'content-type: application/json' -d ${quoted(json)}`
}

/** As an argument in a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const poolsIn = (pools: readonly Pool[], words: ProofWords) =>
  listed(
    pools.map(({ exchange, quote, burnedBps }) =>
      words.ANSWERS.pool({ exchange, quote, percent: percent(burnedBps, words) }),
    ),
    words,
  )

type Taxed = Extract<ShownReason, { code: 'taxed' }>

function taxesIn({ buyBps, transferBps, sellBps }: Taxed, words: ProofWords): string {
  const { buying, sending, selling } = words.ANSWERS.tax
  const measured = [
    { bps: buyBps, message: buying },
    { bps: transferBps, message: sending },
    { bps: sellBps, message: selling },
  ]
  return listed(
    measured.flatMap(({ bps, message }) => (bps === null ? [] : [message({ percent: percent(bps, words) })])),
    words,
  )
}

// With a mark for Arabic: a list runs from right to left there, even if it begins with a Latin name.
const listed = (parts: readonly string[], { intlTag }: ProofWords) =>
  `${intlTag.startsWith('ar') ? '\u200f' : ''}${listInWords(parts, intlTag)}`

/** Formats basis points (hundredths of a percent). */
const percent = (bps: number, { intlTag }: ProofWords) =>
  new Intl.NumberFormat(intlTag, { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000)

/** As chain explorers write times, in every language. @param seconds since 1970. */
export const utc = (seconds: number) =>
  `${new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A verdict, or that the chain is not asked because the token is a placeholder. */
export type ShownVerdict = Verdict | 'placeholder'

export const VERDICT_STAMPS: Readonly<Record<ShownVerdict, string>> = {
  ...PLACEHOLDER_STAMP,
  ...VERDICT_NAMES,
}
