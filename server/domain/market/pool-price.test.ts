import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import type { Rpc } from '#contract/token-proofs/rpc.ts'
import { createHttpClient } from '#server/platform/outbound/http-client.ts'
import defaultCampaign from '#server/testing/campaign.ts'
import { buildWorld, type TokenName, type World } from '#server/testing/chain/world.ts'
import { type Anvil, startAnvil } from '#server/testing/fakes/anvil.ts'
import { twoNodes } from '#server/testing/database/races.ts'
import { createRpc } from '../chain/rpc.ts'
import { createPoolPriceClient } from './pool-price.ts'
import { createPriceReader, type FetchPairs } from './read-price.ts'

const NAMES = ['fixed', 'otherDecimals', 'dollarPool', 'secondPool', 'noPool'] as const satisfies TokenName[]

// Test files share a process: hooks outside of a suite would run for all of them.
describe('the price of a token’s pools', () => {
  let chain: Anvil
  let world: World<(typeof NAMES)[number]>
  before(async () => {
    chain = await startAnvil()
    world = await buildWorld(chain, NAMES)
  })
  after(() => chain.stop())

  const newRpc = () => createRpc(createHttpClient({ allow: [chain.url], timeoutMs: 60_000 }), chain.url)
  const campaignOf = (name: (typeof NAMES)[number]) => world.campaignOf(defaultCampaign, name)

  async function fetchFor(campaign: CampaignFile, rpc: Rpc = newRpc()) {
    const fetchPrice = createPoolPriceClient(rpc, campaign)
    assert.ok(fetchPrice)
    return fetchPrice()
  }

  async function pricesOf(name: (typeof NAMES)[number]) {
    const reply = await fetchFor(campaignOf(name))
    assert.ok('pairs' in reply)
    return reply.pairs.map(({ dexId, priceUsd }) => `${dexId} ${priceUsd}`)
  }

  test('prices tokens on a real chain: with other decimals, another quote, two pools or none', async () => {
    // A pool has half of a billion tokens (each of two pools a quarter), and coins or dollars worth $500.
    assert.deepEqual(await pricesOf('fixed'), ['pulsex-v1 0.000001'])
    assert.deepEqual(await pricesOf('otherDecimals'), ['pulsex-v1 0.000001'])
    assert.deepEqual(await pricesOf('dollarPool'), ['pulsex-v2 0.000001'])
    assert.deepEqual((await pricesOf('secondPool')).toSorted(), ['pulsex-v1 0.000002', 'pulsex-v2 0.000002'])
    assert.deepEqual(await pricesOf('noPool'), [])
  })

  test('makes three requests and reads one block', async () => {
    const blocks: unknown[][] = []
    const rpc = newRpc()
    await fetchFor(campaignOf('fixed'), (calls) => {
      blocks.push(calls.filter(({ method }) => method === 'eth_call').map(({ params }) => params[1]))
      return rpc(calls)
    })
    const readContracts = blocks.map(({ length }) => length > 0)
    assert.deepEqual(readContracts, [false, true, true], 'the first asks for the chain and its newest block')
    const [block, ...others] = new Set(blocks.flat())
    assert.deepEqual(others, [])
    assert.match(String(block), /^0x[0-9a-f]+$/)
  })

  test('gives no price if the node belongs to another chain', async () => {
    const campaign = campaignOf('fixed')
    const elsewhere = { ...campaign, chain: { ...campaign.chain, id: 1 } }
    assert.deepEqual(await fetchFor(elsewhere), { unclear: 'other_chain' })
  })

  test('gives no price if one answer of the node is impossible or missing', async () => {
    const rpc = newRpc()
    // Faults of the third request, which asks each pool for token0() and getReserves(): index 2 is a token0.
    const faults: [string, (result: unknown, index: number) => unknown][] = [
      ['a pool of another token', (result, index) => (index === 2 ? `0x${'1'.padStart(64, '0')}` : result)],
      ['half of a reply', (result) => String(result).slice(0, 40)],
      ['no text', () => 7],
      ['nothing', () => '0x'],
    ]
    for (const [name, fault] of faults) {
      let requests = 0
      const lying: Rpc = async (calls) => {
        requests += 1
        const replies = await rpc(calls)
        if (requests < 3) return replies
        return replies.map((reply, index) =>
          'result' in reply ? { result: fault(reply.result, index) } : reply,
        )
      }
      assert.ok('unclear' in (await fetchFor(campaignOf('fixed'), lying)), name)
      assert.equal(requests, 3, name)
    }
    // The second request asks for the decimals of three tokens, then for the address of each pool.
    const failing: Rpc = async (calls) => {
      const replies = await rpc(calls)
      return replies.map((reply, index) => (index === 3 ? { failure: { kind: 'garbage' } } : reply))
    }
    assert.ok('unclear' in (await fetchFor(campaignOf('fixed'), failing)))
  })

  test('asks nothing about a placeholder for a token, or on a chain without a known exchange', () => {
    const campaign = campaignOf('fixed')
    const rpc: Rpc = () => assert.fail('nothing may be asked')
    const placeholder = { ...campaign, token: { ...campaign.token, placeholder: true } }
    assert.equal(createPoolPriceClient(rpc, placeholder), undefined)
    const { markets: _, ...withoutMarkets } = campaign.chain
    const elsewhere = { ...campaign, chain: { ...withoutMarkets, id: 943 } }
    assert.equal(createPoolPriceClient(rpc, elsewhere), undefined)
  })

  /** Two nodes on one database. `service` has the price service's reply; `age` lets seconds pass. */
  async function setUpNodes(t: TestContext) {
    const nodes = await twoNodes(t, campaignOf('fixed'))
    const service: { reply: Awaited<ReturnType<FetchPairs>> } = { reply: { unclear: 'answered 503' } }
    const askService = t.mock.fn(async () => service.reply)
    const askPools = t.mock.fn(() => fetchFor(campaignOf('fixed')))
    const countAsked = () => ({ service: askService.mock.callCount(), pools: askPools.mock.callCount() })
    const reads = nodes.map((deps) => createPriceReader(deps, askService, askPools))
    const [{ db }] = nodes
    const age = async (seconds: number) => {
      for (const table of ['market_prices', 'pool_prices'])
        await sql`update ${sql.table(table)} set asked_at = asked_at - make_interval(secs => ${seconds}),
          answered_at = answered_at - make_interval(secs => ${seconds})`.execute(db)
    }
    const read = async () => {
      const [pairs, pairsOfOtherNode] = await Promise.all(reads.map((readPrice) => readPrice()))
      assert.deepEqual(pairsOfOtherNode, pairs)
      return pairs?.map(({ priceUsd, source = 'service' }) => `${priceUsd} ${source}`) ?? null
    }
    return { read, countAsked, service, age }
  }

  test('while the price service is silent, two nodes together ask for the pool’s price once a minute', async (t) => {
    const { read, countAsked, service, age } = await setUpNodes(t)
    for (let round = 1; round <= 2; round += 1) assert.deepEqual(await read(), ['0.000001 pool'])
    assert.deepEqual(countAsked(), { service: 1, pools: 1 })
    service.reply = { pairs: [{ priceUsd: '0.5' }, { priceUsd: '0.4' }] }
    await age(60)
    assert.deepEqual(await read(), ['0.5 service', '0.4 service'])
    assert.deepEqual(countAsked(), { service: 2, pools: 1 })
    // The service is silent again: its last answer is served for five minutes, then the pool's.
    service.reply = { unclear: 'answered 503' }
    await age(240)
    assert.deepEqual(await read(), ['0.5 service', '0.4 service'])
    await age(61)
    assert.deepEqual(await read(), ['0.000001 pool'])
    assert.deepEqual(countAsked(), { service: 4, pools: 2 })
    service.reply = { pairs: [] }
    await age(60)
    assert.deepEqual(await read(), ['0.000001 pool'], 'the pool replaces a service that knows no pair')
  })
})
