import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intlTag, LOCALES } from '#contract/locales.ts'
import { API_BASE } from '#contract/protocol/endpoint.ts'
import { tokenPairs } from '#contract/market.ts'
import { firstPrice, formatPrice, pricePath } from './price.ts'

const ofService = (usd: number) => ({ usd, isFromPool: false })

test('uses the path of the contract', () => {
  assert.equal(pricePath('0xabc'), API_BASE + tokenPairs.path.replace(':contract', '0xabc'))
})

test('formats a price with a dollar sign and six decimals', () => {
  assert.equal(formatPrice(ofService(0.00004213)), '$0.000042')
  assert.equal(formatPrice(ofService(1)), '$1.000000')
})

test('writes the decimals as each language does, without losing one', () => {
  assert.deepEqual(
    LOCALES.map((locale) => formatPrice(ofService(1_234.5), intlTag(locale))),
    ['$1234.500000', '$1234.500000', '$1234,500000', '$1234,500000', '$1234.500000', '$1234.500000'],
  )
})

test('reads only the first pair', () => {
  assert.deepEqual(firstPrice({ pairs: [{ priceUsd: '0.5' }, { priceUsd: '9' }] }), ofService(0.5))
})

test('tells a price from the pool from one of the price service', () => {
  const price = (source?: unknown) => firstPrice({ pairs: [{ priceUsd: '0.5', source }, { source: 'pool' }] })
  assert.deepEqual(price('pool'), { usd: 0.5, isFromPool: true })
  for (const source of [undefined, null, true, 'service', ['pool']])
    assert.deepEqual(price(source), ofService(0.5))
})

test('returns null without a price', () => {
  for (const pairs of [null, [], [{ priceUsd: null }], [{}], [{ priceUsd: '' }], [{ priceUsd: 'much' }]])
    assert.equal(firstPrice({ pairs }), null)
  assert.equal(firstPrice({}), null)
})

test('returns null for a malformed price', () => {
  for (const reply of [null, undefined, 7, 'pairs', [], { pairs: 7 }, { pairs: 'all' }, { pairs: { 0: {} } }])
    assert.equal(firstPrice(reply), null)
  for (const priceUsd of [true, [], ['1'], {}, 7, '-1', '0x10', 'Infinity', '1e999', ' '])
    assert.equal(firstPrice({ pairs: [{ priceUsd }] }), null)
  assert.equal(firstPrice({ pairs: [null] }), null)
  assert.deepEqual(firstPrice({ pairs: [{ priceUsd: '4.2e-7' }] }), ofService(4.2e-7))
})
