import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intlTag, LOCALES } from '#contract/locales.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { tokenPairs } from '#contract/market.ts'
import { firstPrice, formatPrice, pricePath } from './price.ts'

const servicePrice = (usd: number) => ({ usd, isFromPool: false })

test('the path for prices is the endpoint’s', () => {
  assert.equal(pricePath('0xabc'), API_BASE + tokenPairs.path.replace(':contract', '0xabc'))
})

test('formats a price with a dollar sign and six decimals in every language', () => {
  assert.equal(formatPrice(servicePrice(0.00004213)), '$0.000042')
  assert.equal(formatPrice(servicePrice(1)), '$1.000000')
  // In the order of LOCALES: Portuguese and Turkish have a comma before the decimals.
  assert.deepEqual(
    LOCALES.map((locale) => formatPrice(servicePrice(1_234.5), intlTag(locale))),
    ['$1234.500000', '$1234.500000', '$1234,500000', '$1234,500000', '$1234.500000', '$1234.500000'],
  )
})

test('reads whether a price is from a pool or from the price service', () => {
  const readPrice = (source?: unknown) =>
    firstPrice({ pairs: [{ priceUsd: '0.5', source }, { source: 'pool' }] }) // the first pair counts
  assert.deepEqual(readPrice('pool'), { usd: 0.5, isFromPool: true })
  for (const source of [undefined, null, true, 'service', ['pool']])
    assert.deepEqual(readPrice(source), servicePrice(0.5))
})

test('returns null when the price is missing or malformed', () => {
  for (const reply of [null, undefined, 7, 'pairs', [], {}, { pairs: { 0: {} } }])
    assert.equal(firstPrice(reply), null)
  for (const pairs of [null, 7, 'all', [], [null], [{}]]) assert.equal(firstPrice({ pairs }), null)
  for (const priceUsd of [null, true, [], ['1'], {}, 7, '', ' ', 'much', '-1', '0x10', 'Infinity', '1e999'])
    assert.equal(firstPrice({ pairs: [{ priceUsd }] }), null)
})

test('reads a price with an exponent', () => {
  assert.deepEqual(firstPrice({ pairs: [{ priceUsd: '4.2e-7' }] }), servicePrice(4.2e-7))
})
