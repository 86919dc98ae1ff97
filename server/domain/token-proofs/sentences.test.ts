import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROOF_CLAIMS, type Reason, type ReasonCode } from '#contract/token-proofs/proof.ts'
import type { ShownReason } from '#contract/token-proofs.ts'
import campaign from '#server/testing/campaign.ts'
import { answerOf, limitsOf, questionOf } from '#web/content/site/proofs.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const POOL = { exchange: 'PulseX V1', quote: 'WPLS', address: ADDRESS, burnedBps: 10_000, shareBps: 9_000 }
const trade = { exchange: 'PulseX V2', quote: 'DAI', method: 'simulation' } as const
const supply = `1${'0'.repeat(27)}`

const REASONS: { [Code in ReasonCode]: Extract<Reason, { code: Code }> } = {
  right_chain: { code: 'right_chain', chainId: 369, bytes: 1_234 },
  no_code: { code: 'no_code', chainId: 369 },
  renounced: { code: 'renounced', owner: `0x${'0'.repeat(40)}` },
  owned: { code: 'owned', owner: ADDRESS },
  upgradeable: { code: 'upgradeable', slot: 'admin', address: ADDRESS },
  clone: { code: 'clone', target: ADDRESS },
  role_held: { code: 'role_held', role: `0x${'0'.repeat(64)}`, account: ADDRESS },
  mint_seen: { code: 'mint_seen', signature: 'mint(address,uint256)' },
  roles_unread: { code: 'roles_unread' },
  foreign_code: { code: 'foreign_code', instruction: 'DELEGATECALL' },
  unreadable_code: { code: 'unreadable_code' },
  supply_as_stated: { code: 'supply_as_stated', supply, decimals: 18 },
  supply_smaller: { code: 'supply_smaller', supply: '5', stated: supply, decimals: 18 },
  supply_larger: { code: 'supply_larger', supply: '123456789', stated: '1', decimals: 0 },
  decimals_differ: { code: 'decimals_differ', decimals: 8, stated: 18 },
  mintable: { code: 'mintable', supply, decimals: 18, signature: 'mint(address,uint256)' },
  changeable_code: { code: 'changeable_code', supply, decimals: 18 },
  burned: {
    code: 'burned',
    burnedBps: 9_912,
    pools: [POOL, { ...POOL, exchange: 'PulseX V2', burnedBps: 9_001 }],
  },
  partly_burned: { code: 'partly_burned', burnedBps: 5_000, pools: [{ ...POOL, burnedBps: 5_000 }] },
  not_burned: { code: 'not_burned', burnedBps: 0, pools: [{ ...POOL, burnedBps: 0 }] },
  no_pool: { code: 'no_pool', exchanges: ['PulseX V1', 'PulseX V2'] },
  pool_unweighed: { code: 'pool_unweighed', pool: { ...POOL, shareBps: null }, pools: [POOL] },
  no_tax: { code: 'no_tax', ...trade },
  taxed: { code: 'taxed', buyBps: 500, transferBps: null, sellBps: 1_050, ...trade },
  transfer_fails: { code: 'transfer_fails', ...trade },
  sell_fails: { code: 'sell_fails', ...trade },
  part_unsold: { code: 'part_unsold', ...trade },
  sell_fails_at_once: { code: 'sell_fails_at_once', ...trade, method: 'probe' },
  buy_fails: { code: 'buy_fails', ...trade },
  pool_too_small: { code: 'pool_too_small', exchange: 'PulseX V1', quote: 'WPLS' },
  no_simulation: { code: 'no_simulation', exchange: 'PulseX V1', quote: 'WPLS' },
  router_differs: { code: 'router_differs', exchange: 'PulseX V1' },
  no_markets: { code: 'no_markets' },
  placeholder: { code: 'placeholder' },
  other_chain: { code: 'other_chain', expected: 369, answered: '"0x1"' },
  nothing_there: { code: 'nothing_there' },
  no_answer: { code: 'no_answer', method: 'eth_call', failure: { kind: 'garbage' } },
  odd_answer: { code: 'odd_answer', method: 'eth_call', answer: '<b>' },
  heads_differ: { code: 'heads_differ', block: 7 },
}
const OLD_OR_NOT_CHECKED: ShownReason[] = [
  { code: 'not_checked' },
  { code: 'old_block', block: 24_500_000, time: 1_800_000_000 },
]

test('every reason has a unique sentence without missing values', () => {
  const sentences = [...Object.values(REASONS), ...OLD_OR_NOT_CHECKED].map((reason) =>
    answerOf(reason, campaign),
  )
  for (const sentence of sentences) {
    assert.match(sentence, /^[A-Z0-9].*\.$/)
    assert.doesNotMatch(sentence, /undefined|null|NaN|\[object| {2}/)
  }
  assert.equal(new Set(sentences).size, sentences.length)
})

test('sentences state amounts in whole tokens, shares in percent and short addresses', () => {
  const say = (code: ReasonCode) => answerOf(REASONS[code], campaign)
  assert.equal(
    say('supply_smaller'),
    'There are 0.000000000000000005 PF, fewer than the 1,000,000,000 stated, which fits with burning. No function that creates more was found.',
  )
  assert.equal(say('supply_larger'), 'There are 123,456,789 PF, more than the 1 stated.')
  const burned = '99.12% of the liquidity is burned: PulseX V1 WPLS 100% and PulseX V2 WPLS 90.01%.'
  assert.equal(say('burned'), burned)
  const taxed =
    'A simulated purchase, transfer and sale against DAI on PulseX V2 was taxed: 5% for buying and 10.5% for selling.'
  assert.equal(say('taxed'), taxed)
  assert.equal(say('role_held'), '0xabab…babab holds the role that administers all others.')
  const ownerless = answerOf({ code: 'renounced', owner: null }, campaign)
  assert.match(ownerless, /^The contract has no owner function\./)
})

test('every claim has limits and a question, and the one about liquidity names the known exchanges', () => {
  for (const claim of PROOF_CLAIMS) {
    assert.match(limitsOf(claim, REASONS.placeholder), /^This does not show/)
    assert.match(questionOf(claim, campaign), /\?$/)
  }
  assert.match(questionOf('liquidity', campaign), /on PulseX V1 and PulseX V2/)
  const chainWithoutMarkets = { ...campaign.chain, id: 1 }
  assert.match(questionOf('liquidity', { ...campaign, chain: chainWithoutMarkets }), /^In each pool, how/)
  assert.doesNotMatch(limitsOf('tax', REASONS.no_tax), /in one transaction/)
  assert.match(limitsOf('tax', { ...REASONS.no_tax, method: 'probe' }), /in one transaction/)
})
