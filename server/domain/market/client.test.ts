import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePairs } from './client.ts'

const contract = '0xaA2B34FEc4e264aB91D2FEC61Cce1FB85AAcFb9a'
const token = { contract, chainSlug: 'pulsechain' }

const pair = (changes: Record<string, unknown> = {}) => ({
  chainId: 'pulsechain',
  dexId: 'pulsex',
  url: 'https://dexscreener.com/pulsechain/0xpair',
  pairAddress: '0xpair',
  labels: ['v2'],
  baseToken: { address: contract.toLowerCase(), name: 'Pocket Future', symbol: 'PF' },
  quoteToken: {
    address: '0xA1077a294dDE1B09bB078844df40758a5D0f9a27',
    name: 'Wrapped Pulse',
    symbol: 'WPLS',
  },
  priceNative: '12.5',
  priceUsd: '0.0004321',
  txns: { m5: { buys: 1, sells: 0 } },
  liquidity: { usd: 1000, base: 1, quote: 1 },
  pairCreatedAt: 1700000000000,
  ...changes,
})

const prices = (...pairs: unknown[]) =>
  parsePairs({ schemaVersion: '1.0.0', pairs }, token)?.map(({ priceUsd }) => priceUsd)

test('copies only the fields that the endpoint declares', () => {
  assert.deepEqual(parsePairs({ pairs: [pair()] }, token), [
    {
      priceUsd: '0.0004321',
      chainId: 'pulsechain',
      dexId: 'pulsex',
      pairAddress: '0xpair',
      url: 'https://dexscreener.com/pulsechain/0xpair',
      liquidity: { usd: 1000 },
    },
  ])
})

test('lists the pairs that price our token on our chain, deepest first', () => {
  const ethereum = pair({ chainId: 'ethereum', priceUsd: '9', liquidity: { usd: 9e9 } })
  const asQuote = pair({ baseToken: { address: '0xother' }, priceUsd: '8', liquidity: { usd: 9e9 } })
  const deep = pair({ priceUsd: '2', liquidity: { usd: 5000 } })
  const unknownDepth = pair({ priceUsd: '3', liquidity: undefined })
  assert.deepEqual(prices(ethereum, asQuote, unknownDepth, pair(), deep), ['2', '0.0004321', '3'])
  assert.deepEqual(prices(ethereum, asQuote), [])
})

test('keeps all pairs if none names a chain, otherwise only pairs on our chain', () => {
  assert.deepEqual(prices({ priceUsd: '0.5' }, { priceUsd: '0.7' }), ['0.5', '0.7'])
  assert.deepEqual(prices({ priceUsd: '0.5' }, pair()), ['0.0004321'])
})

test('accepts only plain positive decimals as price', () => {
  for (const priceUsd of ['0.0000000001', '1', '999999999.5', '0.000432100'])
    assert.deepEqual(prices(pair({ priceUsd })), [priceUsd])
  const malformed = ['NaN', '-1', '1e999', '1e-7', '<img>', '', ' 1', '1\n', '.5', '1.', '0x10', '1,5', '٣']
  const impossible = ['0', '0.000', 'Infinity', '1000000000', '9'.repeat(400), `0.${'0'.repeat(400)}1`]
  const otherTypes = [0.5, Number.NaN, -1, null, undefined, true, {}, ['1']]
  for (const priceUsd of [...malformed, ...impossible, ...otherTypes])
    assert.deepEqual(prices(pair({ priceUsd })), [], JSON.stringify(priceUsd))
  assert.deepEqual(prices(pair({ priceUsd: 'NaN', liquidity: { usd: 9e9 } }), pair()), ['0.0004321'])
})

test('drops URLs, texts and amounts that are hostile or cannot be stored', () => {
  const hostile = pair({ url: 'javascript:alert(1)', dexId: { evil: 1 }, pairAddress: 'x'.repeat(201) })
  assert.deepEqual(parsePairs({ pairs: [hostile] }, token), [
    { priceUsd: '0.0004321', chainId: 'pulsechain', liquidity: { usd: 1000 } },
  ])
  // PostgreSQL cannot store NUL or a lone surrogate.
  const unstorable = pair({ dexId: 'pulse\0x', pairAddress: '\ud83d', url: 'https://x.example/\0' })
  assert.deepEqual(parsePairs({ pairs: [unstorable] }, token), [
    { priceUsd: '0.0004321', chainId: 'pulsechain', liquidity: { usd: 1000 } },
  ])
  const depths = [-1, '9', Number.POSITIVE_INFINITY].map((usd) => pair({ liquidity: { usd } }))
  const shown = parsePairs({ pairs: depths }, token)?.map(({ liquidity }) => liquidity)
  assert.deepEqual(shown, [undefined, undefined, undefined])
})

test('distinguishes a reply without pairs from other content', () => {
  for (const pairs of [null, [], [null, 7, 'x', []]]) assert.deepEqual(parsePairs({ pairs }, token), [])
  for (const reply of [null, 7, 'x', [], [pair()], {}, { pairs: 'x' }, { pairs: {} }, { pairs: 0 }])
    assert.equal(parsePairs(reply, token), undefined, JSON.stringify(reply))
})
