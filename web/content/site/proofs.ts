import { LIMITS, TRADES } from '#messages/proofs.js'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Pool, ProofClaim, TradeMethod } from '#contract/proofs/proof.ts'
import { bodyOf, type RpcCall } from '#contract/proofs/rpc.ts'
import { marketsOf } from '#contract/proofs/subject.ts'
import type { ShownReason } from '#contract/token-proofs.ts'

/** What the sentences name. */
type Stated = Pick<CampaignFile, 'token' | 'chain'>

/** What is asked of the chain about a claim, as a question. */
export function questionOf(claim: ProofClaim, { token, chain }: Stated): string {
  switch (claim) {
    case 'chain':
      return `Is this node on ${chain.name} (chain ${chain.id}), and is there a contract at the token’s address?`
    case 'ownership':
      return 'Does anyone own the contract or hold a role in it, can its code be replaced, and does it have a function that creates tokens?'
    case 'supply':
      return `Are there at most ${token.supply} ${token.symbol}, and can the contract create more?`
    case 'liquidity':
      return `In each pool${onExchanges(chain)}, how much of the liquidity was sent to an address that no one controls?`
    case 'tax':
      return `If someone buys, sends and sells a little ${token.symbol}, how much does the contract keep?`
  }
}

/** What a verdict on the claim does not show. */
export function limitsOf(claim: ProofClaim, reason: ShownReason): string {
  const weaker = 'method' in reason && isWeak(reason.method) ? ` ${LIMITS.weakTrade}` : ''
  return LIMITS[claim] + weaker
}

const isWeak = (method: unknown): method is TradeMethod => method === 'probe' || method === 'multicall'

/** What the chain answered, or why there is no answer, in one or two sentences. */
export function answerOf(reason: ShownReason, { token, chain }: Stated): string {
  switch (reason.code) {
    case 'right_chain':
      return `Yes. The node is on ${chain.name} (chain ${reason.chainId}), and the contract has ${grouped(reason.bytes)} bytes of code.`
    case 'no_code':
      return `The node is on ${chain.name} (chain ${reason.chainId}), but there is no contract at the token’s address.`
    case 'renounced':
      return `${reason.owner === null ? 'The contract has no owner function' : `The owner is ${short(reason.owner)}, which no one controls`}. No proxy, no role and no function that creates tokens was found.`
    case 'owned':
      return `${short(reason.owner)} owns the contract.`
    case 'upgradeable':
      return `The contract is a proxy: its rules can be replaced. Its ${reason.slot} is ${short(reason.address)}.`
    case 'clone':
      return `The contract is a minimal proxy: it follows the rules of ${short(reason.target)}.`
    case 'role_held':
      return `${short(reason.account)} holds ${/^0x0*$/.test(reason.role) ? 'the role that administers all others' : `the role ${short(reason.role)}`}.`
    case 'mint_seen':
      return `No one owns the contract, but it has the function ${reason.signature}, and we can’t tell who may call it.`
    case 'roles_unread':
      return 'The contract has roles, and the node didn’t say who holds them.'
    case 'foreign_code':
      return `The code contains ${reason.instruction}, so it may run another contract’s code or delete itself.`
    case 'unreadable_code':
      return 'The code doesn’t list its functions the way compilers do, so we can’t search them.'
    case 'supply_as_stated':
      return `Yes. There are ${units(reason.supply, reason.decimals)} ${token.symbol}, as stated, and no function that creates more was found.`
    case 'supply_smaller':
      return `There are ${units(reason.supply, reason.decimals)} ${token.symbol}, fewer than the ${units(reason.stated, reason.decimals)} stated, which fits with burning. No function that creates more was found.`
    case 'supply_larger':
      return `There are ${units(reason.supply, reason.decimals)} ${token.symbol}, more than the ${units(reason.stated, reason.decimals)} stated.`
    case 'decimals_differ':
      return `The contract has ${reason.decimals} decimals, not ${reason.stated} as stated, so all amounts differ.`
    case 'mintable':
      return `There are ${units(reason.supply, reason.decimals)} ${token.symbol} now, but the contract has the function ${reason.signature}, which creates tokens.`
    case 'changeable_code':
      return `There are ${units(reason.supply, reason.decimals)} ${token.symbol} now, but the contract can run other code, which may change that.`
    case 'burned':
    case 'partly_burned':
      return `${percent(reason.burnedBps)} of the liquidity is burned: ${listed(reason.pools.map(poolWords))}.`
    case 'not_burned':
      return `None of the liquidity is burned: ${listed(reason.pools.map(poolWords))}.`
    case 'no_pool':
      return `There is no pool with liquidity on ${listed(reason.exchanges)}.`
    case 'pool_unweighed':
      return `The liquidity of the pool ${poolName(reason.pool)} is not burned, and we can’t tell how much of all liquidity it holds.`
    case 'no_tax':
      return `${TRADES[reason.method]} ${tradePlace(reason)} lost nothing to a tax.`
    case 'taxed':
      return `${TRADES[reason.method]} ${tradePlace(reason)} was taxed: ${taxes(reason)}.`
    case 'sell_fails':
      return `In a simulation ${tradePlace(reason)}, ${token.symbol} could be bought but not sold.`
    case 'transfer_fails':
      return `In a simulation ${tradePlace(reason)}, ${token.symbol} could be bought but not sent to anyone.`
    case 'sell_fails_at_once':
      return `In a simulation ${tradePlace(reason)}, ${token.symbol} could not be sold in the transaction that bought it. That may be a trap, or a required pause between trades.`
    case 'part_unsold':
      return `In a simulation ${tradePlace(reason)}, not all of the ${token.symbol} that arrived could be sold. The contract may show balances that don’t exist, or limit sales.`
    case 'buy_fails':
      return `In a simulation ${tradePlace(reason)}, ${token.symbol} could not be bought, so no tax could be measured.`
    case 'pool_too_small':
      return `The pool with ${reason.quote} on ${reason.exchange} holds too little to measure a tax.`
    case 'no_simulation':
      return 'The node doesn’t simulate trades.'
    case 'router_differs':
      return `The router configured for ${reason.exchange} belongs to another exchange, so trades can’t be simulated.`
    case 'no_markets':
      return `No exchanges are configured for ${chain.name}.`
    case 'placeholder':
      return 'The contract address is a placeholder, so there is nothing to check yet.'
    case 'other_chain':
      return `The node is not on ${chain.name} (chain ${reason.expected}), so its answers don’t count.`
    case 'nothing_there':
      return 'There is no contract at the token’s address.'
    case 'no_answer':
      return `The node didn’t answer ${reason.method}.`
    case 'odd_answer':
      return `The node gave an impossible answer to ${reason.method}.`
    case 'heads_differ':
      return 'The nodes behind this address disagree about the newest block.'
    case 'not_checked':
      return 'The chain hasn’t been asked recently.'
    case 'old_block':
      return `The node’s newest block is ${grouped(reason.block)}, from ${utc(reason.time)}, so it lags behind the chain.`
  }
}

/** A command that makes the calls again; `-g` keeps curl from reading brackets in the address as a range. @param rpcUrl the public one, never an operator's own. */
export function curlCommand(rpcUrl: string, calls: readonly RpcCall[]): string {
  const bodies = calls.map(bodyOf)
  const json = JSON.stringify(bodies.length === 1 ? bodies[0] : bodies)
  return `curl -sg ${quoted(rpcUrl)} -H 'content-type: application/json' -d ${quoted(json)}`
}

/** For a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

type Place = { exchange: string; quote: string }

const tradePlace = ({ exchange, quote }: Place) => `against ${quote} on ${exchange}`
const poolName = ({ exchange, quote }: Place) => `${exchange} ${quote}`
const poolWords = (pool: Pool) => `${poolName(pool)} ${percent(pool.burnedBps)}`

type Taxes = { buyBps: number | null; transferBps: number | null; sellBps: number | null }

function taxes({ buyBps, transferBps, sellBps }: Taxes): string {
  const measured = [
    ['buying', buyBps],
    ['sending', transferBps],
    ['selling', sellBps],
  ] as const
  return listed(measured.flatMap(([what, bps]) => (bps === null ? [] : [`${percent(bps)} for ${what}`])))
}

const onExchanges = (chain: CampaignFile['chain']) => {
  const names = marketsOf(chain)?.exchanges.map(({ name }) => name) ?? []
  return names.length > 0 ? ` on ${listed(names)}` : ''
}

const listed = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

/** Of hundredths of a percent. */
const percent = (bps: number) => `${Number((bps / 100).toFixed(2))}%`
export const grouped = (count: number) => count.toLocaleString('en')
const short = (hex: string) => `${hex.slice(0, 6)}…${hex.slice(-5)}`
/** @param seconds since 1970. */
export const utc = (seconds: number) =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** An amount in whole tokens with grouped thousands. @param digits in the token's smallest unit. */
function units(digits: string, decimals: number): string {
  const padded = digits.padStart(decimals + 1, '0')
  const whole = BigInt(padded.slice(0, padded.length - decimals)).toLocaleString('en')
  const fraction = decimals === 0 ? '' : padded.slice(-decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
