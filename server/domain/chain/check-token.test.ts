import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkToken } from '#contract/token-proofs/check-token.ts'
import { PROOF_CLAIMS, type ReasonCode, type TokenCheck, type Verdict } from '#contract/token-proofs/proof.ts'
import { subjectOf } from '#contract/token-proofs/subject.ts'
import campaign from '#server/testing/campaign.ts'
import {
  buildWorld,
  reasonOf,
  rpcAt,
  TOKEN_NAMES,
  type TokenName,
  type World,
} from '#server/testing/chain/world.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'

// Test files share a process: hooks outside of a suite would run for all of them.
describe('a check of a token', () => {
  let chain: Anvil
  let world: World
  before(async () => {
    chain = await startAnvil()
    world = await buildWorld(chain, TOKEN_NAMES)
  })
  after(() => chain.stop())

  const checks = new Map<TokenName, Promise<TokenCheck>>()
  /** Checks a token once: nothing on the chain changes. */
  const check = (name: TokenName) => {
    const known =
      checks.get(name) ?? checkToken(rpcAt(chain.url), subjectOf(world.campaignOf(campaign, name)))
    checks.set(name, known)
    return known
  }

  type Flips = Partial<Record<(typeof PROOF_CLAIMS)[number], [verdict: Verdict, reason: ReasonCode]>>
  /** Verdicts that differ from `proven`. Tokens of `TOKEN_NAMES` that are not listed are honest. */
  const FLIPS: Partial<Record<TokenName, Flips>> = {
    owned: { ownership: ['not_so', 'owned'] },
    getOwner: { ownership: ['not_so', 'owned'] },
    role: { ownership: ['not_so', 'role_held'] },
    // Whoever can mint controls the token, and its supply is not fixed.
    presetMinter: { ownership: ['not_so', 'mint_seen'], supply: ['not_so', 'mintable'] },
    hiddenMinter: { ownership: ['not_so', 'mint_seen'], supply: ['not_so', 'mintable'] },
    // The supply is as stated, but whoever controls a proxy can change that.
    proxy: { ownership: ['not_so', 'upgradeable'], supply: ['could_not_check', 'changeable_code'] },
    clone: { ownership: ['not_so', 'clone'], supply: ['could_not_check', 'changeable_code'] },
    hiddenProxy: {
      ownership: ['could_not_check', 'foreign_code'],
      supply: ['could_not_check', 'changeable_code'],
    },
    otherDecimals: { supply: ['not_so', 'decimals_differ'] },
    larger: { supply: ['not_so', 'supply_larger'] },
    unburned: { liquidity: ['not_so', 'not_burned'] },
    dustBurned: { liquidity: ['not_so', 'not_burned'] },
    partlyBurned: { liquidity: ['not_so', 'partly_burned'] },
    secondPool: { liquidity: ['not_so', 'partly_burned'] },
    noPool: { liquidity: ['could_not_check', 'no_pool'], tax: ['could_not_check', 'no_pool'] },
    sellTax: { tax: ['not_so', 'taxed'] },
    bothTaxes: { tax: ['not_so', 'taxed'] },
    highTax: { tax: ['not_so', 'taxed'] },
    transferTax: { tax: ['not_so', 'taxed'] },
    swapBack: { tax: ['not_so', 'taxed'] },
    // These two hand over less than they show.
    phantomBuy: { tax: ['could_not_check', 'part_unsold'] },
    phantomSend: { tax: ['could_not_check', 'part_unsold'] },
    crowd: { tax: ['not_so', 'taxed'] },
    deflating: { tax: ['not_so', 'taxed'] },
    honeypot: { tax: ['not_so', 'sell_fails'] },
    // Can be sold only where nothing is paid for gas, as in a simulation.
    shyTrap: { tax: ['not_so', 'sell_fails'] },
    closed: { tax: ['could_not_check', 'buy_fails'] },
  }

  test('proves every claim of a token except those that the token breaks', async () => {
    for (const name of TOKEN_NAMES) {
      const { proofs, block } = await check(name)
      const claims = proofs.map(({ claim }) => claim)
      assert.deepEqual(claims, PROOF_CLAIMS)
      const flips = Object.fromEntries(
        proofs
          .filter(({ verdict }) => verdict !== 'proven')
          .map(({ claim, verdict, reason }) => [claim, [verdict, reason.code]]),
      )
      assert.deepEqual(flips, FLIPS[name] ?? {}, name)
      assert.equal(block?.number, Number(await chain.call('eth_blockNumber')))
    }
  })

  test('reasons have the owners, roles, contracts and amounts that were found', async () => {
    // A billion tokens, in the smallest units.
    const stated = `1${'0'.repeat(27)}`
    const fair = await check('fair')
    assert.deepEqual(reasonOf(fair, 'supply'), { code: 'supply_as_stated', supply: stated, decimals: 18 })
    assert.deepEqual(reasonOf(fair, 'ownership'), { code: 'renounced', owner: null })
    assert.deepEqual(reasonOf(await check('renounced'), 'ownership'), {
      code: 'renounced',
      owner: `0x${'0'.repeat(40)}`,
    })
    assert.deepEqual(reasonOf(await check('owned'), 'ownership'), {
      code: 'owned',
      owner: world.deployer.address.toLowerCase(),
    })
    assert.deepEqual(reasonOf(await check('role'), 'ownership'), {
      code: 'role_held',
      role: `0x${'0'.repeat(64)}`,
      account: world.deployer.address.toLowerCase(),
    })
    const clone = reasonOf(await check('clone'), 'ownership')
    assert.ok(clone?.code === 'clone')
    assert.notEqual(await chain.call('eth_getCode', [clone.target, 'latest']), '0x')
    const proxy = reasonOf(await check('proxy'), 'ownership')
    assert.ok(proxy?.code === 'upgradeable' && proxy.slot === 'implementation')
    assert.notEqual(await chain.call('eth_getCode', [proxy.address, 'latest']), '0x')
    assert.deepEqual(reasonOf(await check('presetMinter'), 'supply'), {
      code: 'mintable',
      supply: stated,
      decimals: 18,
      signature: 'mint(address,uint256)',
    })
    assert.partialDeepStrictEqual(reasonOf(await check('smaller'), 'supply'), {
      code: 'supply_smaller',
      supply: '9'.repeat(27),
      stated,
    })
  })

  test('says how much of the liquidity is burned, of each pool and of all together', async () => {
    const coinPool = { exchange: 'PulseX V1', quote: 'WPLS', shareBps: 10_000 }
    assert.partialDeepStrictEqual(reasonOf(await check('partlyBurned'), 'liquidity'), {
      burnedBps: 7_499,
      pools: [{ ...coinPool, burnedBps: 7_499 }],
    })
    assert.partialDeepStrictEqual(reasonOf(await check('secondPool'), 'liquidity'), {
      burnedBps: 5_000,
      pools: [
        { ...coinPool, shareBps: 5_000, burnedBps: 10_000 },
        { exchange: 'PulseX V2', quote: 'DAI', shareBps: 5_000, burnedBps: 0 },
      ],
    })
  })

  test('measures taxes to a hundredth of a percent', async () => {
    const taxesOf = async (name: TokenName) => {
      const reason = reasonOf(await check(name), 'tax')
      assert.ok(reason?.code === 'taxed', name)
      assert.equal(reason.method, 'simulation')
      return { buy: reason.buyBps, transfer: reason.transferBps, sell: reason.sellBps }
    }
    assert.deepEqual(await taxesOf('sellTax'), { buy: 0, transfer: 0, sell: 500 })
    assert.deepEqual(await taxesOf('bothTaxes'), { buy: 500, transfer: 0, sell: 1_000 })
    assert.deepEqual(await taxesOf('transferTax'), { buy: 0, transfer: 300, sell: 0 })
    // Where too little is left of a purchase, nothing is sent or sold.
    assert.deepEqual(await taxesOf('highTax'), { buy: 9_000, transfer: null, sell: null })
    assert.deepEqual(await taxesOf('swapBack'), { buy: 0, transfer: 0, sell: 500 })
    assert.deepEqual(await taxesOf('deflating'), { buy: 100, transfer: 100, sell: 100 })
    assert.deepEqual(await taxesOf('crowd'), { buy: 10_000, transfer: null, sell: null })
  })
})
