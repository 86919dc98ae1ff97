import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { Markets } from '#contract/campaign-file.ts'
import { checkToken } from '#contract/token-proofs/check-token.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { subjectOf, type TokenSubject } from '#contract/token-proofs/subject.ts'
import campaign from '#server/testing/campaign.ts'
import type { Contract } from '#server/testing/chain/deployer.ts'
import { COIN, DEAD, DEADLINE } from '#server/testing/chain/exchanges.ts'
import { buildWorld, rpcAt, type World } from '#server/testing/chain/world.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'

// Test files share a process: hooks outside of a suite would run for all of them.
describe('the markets of a token', () => {
  let chain: Anvil
  let world: World<'fair' | 'noPool' | 'unburned' | 'dollarPool'>
  let rpc: Rpc
  let snapshot: unknown
  before(async () => {
    chain = await startAnvil()
    world = await buildWorld(chain, ['fair', 'noPool', 'unburned', 'dollarPool'])
    rpc = rpcAt(chain.url)
  })
  after(() => chain.stop())
  beforeEach(async () => {
    snapshot = await chain.call('evm_snapshot')
  })
  afterEach(async () => {
    await chain.call('evm_revert', [snapshot])
  })

  type Name = keyof typeof world.tokens
  const subjectFor = (name: Name, markets: Partial<Markets> = {}): TokenSubject => ({
    ...subjectOf(world.campaignOf(campaign, name)),
    markets: { ...world.markets, ...markets },
  })
  const reasonsOf = async (subject: TokenSubject) => {
    const { proofs } = await checkToken(rpc, subject)
    return Object.fromEntries(proofs.map(({ claim, reason }) => [claim, reason]))
  }

  test('does not count the share that the exchange takes as its fee', async () => {
    const { deployer, v1, wrappedCoin, tokens, addPool } = world
    const token = tokens.fair
    const collector = `0x${'fe'.repeat(20)}`
    await deployer.send(v1.factory, 'setFeeTo', [collector])
    const addBurnedLiquidity = async () => {
      const pool = await addPool(token, { amount: COIN, coins: COIN })
      await burn(pool)
      return pool
    }
    await addBurnedLiquidity()
    for (let trade = 0; trade < 30; trade += 1) {
      const buy = [0n, [wrappedCoin.address, token.address], deployer.address, DEADLINE]
      await deployer.send(v1.router, 'swapExactETHForTokens', buy, 10n ** 9n * COIN)
      // All but what the last pool needs.
      const bought = ((await deployer.read(token, 'balanceOf', [deployer.address])) as bigint) - COIN
      await deployer.send(token, 'approve', [v1.router.address, bought])
      const sale = [bought, 0n, [token.address, wrappedCoin.address], deployer.address, DEADLINE]
      await deployer.send(v1.router, 'swapExactTokensForETH', sale)
    }
    const pool = await addBurnedLiquidity() // mints the fee
    const [fee, total] = (await Promise.all([
      deployer.read(pool, 'balanceOf', [collector]),
      deployer.read(pool, 'totalSupply'),
    ])) as [bigint, bigint]
    assert.ok(fee * 100n > total, 'the fee is more than may be left unburned')
    const heldByCollector = await reasonsOf(subjectFor('fair'))
    assert.partialDeepStrictEqual(heldByCollector['liquidity'], { code: 'burned', burnedBps: 10_000 })
    await deployer.send(v1.factory, 'setFeeTo', [`0x${'fd'.repeat(20)}`])
    const heldByOther = await reasonsOf(subjectFor('fair'))
    assert.equal(heldByOther['liquidity']?.code, 'partly_burned')
  })

  async function burn(pool: Contract): Promise<void> {
    const { deployer } = world
    await deployer.send(pool, 'transfer', [DEAD, await deployer.read(pool, 'balanceOf', [deployer.address])])
  }

  test('a pool whose quote has no price has to be burned, because its share is unknown', async () => {
    const { deployer, v2, addPool, poolOf, tokens } = world
    const odd = tokens.noPool
    const quotes = [{ symbol: 'ODD', address: odd.address }]
    await deployer.send(tokens.fair, 'approve', [v2.router.address, COIN])
    await deployer.send(odd, 'approve', [v2.router.address, COIN])
    const args = [tokens.fair.address, odd.address, COIN, COIN, 0n, 0n, deployer.address, DEADLINE]
    await deployer.send(v2.router, 'addLiquidity', args)

    const unburned = await reasonsOf(subjectFor('fair', { quotes }))
    assert.partialDeepStrictEqual(unburned['liquidity'], {
      code: 'pool_unweighed',
      pool: { exchange: 'PulseX V2', quote: 'ODD', burnedBps: 0, shareBps: null },
    })
    assert.equal(unburned['tax']?.code, 'no_tax')

    await burn(await poolOf(v2, tokens.fair, odd))
    const burned = await reasonsOf(subjectFor('fair', { quotes }))
    assert.partialDeepStrictEqual(burned['liquidity'], {
      code: 'burned',
      pools: [
        { burnedBps: 10_000, shareBps: 10_000 },
        { burnedBps: 10_000, shareBps: null },
      ],
    })

    // Once the quote has a price, the pool has a share, although one that rounds to 0.
    await addPool(odd, { amount: COIN, coins: COIN })
    const weighed = await reasonsOf(subjectFor('fair', { quotes }))
    assert.partialDeepStrictEqual(weighed['liquidity'], { pools: [{}, { quote: 'ODD', shareBps: 0 }] })
  })

  test('trades through the dollar where the token has no pool with the coin', async () => {
    const { liquidity, tax } = await reasonsOf(subjectFor('dollarPool'))
    assert.partialDeepStrictEqual(liquidity, { code: 'burned', pools: [{ quote: 'DAI', shareBps: 10_000 }] })
    assert.deepEqual(tax, { code: 'no_tax', method: 'simulation', exchange: 'PulseX V2', quote: 'DAI' })
  })

  test('says why it measures no tax: a foreign router, a small pool, no markets, or no exchange', async () => {
    const { v1, v2, addPool, tokens, markets } = world
    const crossed = [{ name: 'Crossed', factory: v1.factory.address, router: v2.router.address }]
    const foreign = await reasonsOf(subjectFor('fair', { exchanges: crossed }))
    assert.deepEqual(foreign['tax'], { code: 'router_differs', exchange: 'Crossed' })
    assert.equal(foreign['liquidity']?.code, 'burned')

    await addPool(tokens.noPool, { amount: 10n ** 9n, coins: COIN })
    const small = await reasonsOf(subjectFor('noPool'))
    assert.deepEqual(small['tax'], { code: 'pool_too_small', exchange: 'PulseX V1', quote: 'WPLS' })

    const none = await reasonsOf({ ...subjectFor('fair'), markets: undefined })
    const withoutMarkets = { liquidity: { code: 'no_markets' }, tax: { code: 'no_markets' } } as const
    assert.partialDeepStrictEqual(none, { ...withoutMarkets, ownership: { code: 'renounced' } })

    const nowhere = [{ name: 'Nowhere', factory: `0x${'ab'.repeat(20)}`, router: v1.router.address }]
    const empty = await reasonsOf(subjectFor('fair', { exchanges: [...markets.exchanges, ...nowhere] }))
    const unreadable = { liquidity: { code: 'odd_answer' }, tax: { code: 'odd_answer' } } as const
    assert.partialDeepStrictEqual(empty, unreadable)
  })

  test('says that nothing is at an address without a contract', async () => {
    const account = { ...subjectFor('fair'), token: `0x${'ab'.repeat(20)}` }
    const { chain: onChain, ...others } = await reasonsOf(account)
    assert.deepEqual(onChain, { code: 'no_code', chainId: 369 })
    for (const reason of Object.values(others)) assert.deepEqual(reason, { code: 'nothing_there' })
  })

  test('asks nothing about a placeholder, a token that does not exist yet', async () => {
    assert.ok(campaign.token.placeholder)
    const unasked: Rpc = () => assert.fail('The node was asked.')
    const { block, proofs } = await checkToken(unasked, subjectOf(campaign))
    assert.equal(block, null)
    for (const { reason, verdict } of proofs)
      assert.deepEqual([verdict, reason], ['could_not_check', { code: 'placeholder' }])
  })

  test('uses PulseX on PulseChain, and the markets of the campaign file if it has any', () => {
    const { chain: pulse, token } = campaign
    const exchanges = subjectOf({ token, chain: pulse }).markets?.exchanges.map(({ name }) => name)
    assert.deepEqual(exchanges, ['PulseX V1', 'PulseX V2'])
    assert.equal(subjectOf({ token, chain: { ...pulse, id: 1 } }).markets, undefined)
    const subject = subjectOf({ token, chain: { ...pulse, markets: world.markets } })
    assert.equal(subject.markets, world.markets)
    assert.partialDeepStrictEqual(subject, { chainId: 369, supply: '1000000000', decimals: 18, coin: 'PLS' })
  })
})
