import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PoolReserves, priceFromPools } from './pool-rules.ts'

const CONTRACT = '0xc'
const COIN = '0xa'
const DOLLAR = '0xd'

const market = (decimals = { token: 18, coin: 18, dollar: 18 }) => ({
  contract: CONTRACT,
  wrappedCoin: COIN,
  dollar: DOLLAR,
  decimals: new Map([
    [CONTRACT, decimals.token],
    [COIN, decimals.coin],
    [DOLLAR, decimals.dollar],
  ]),
})

const units = (amount: number, decimals = 18) => BigInt(amount) * 10n ** BigInt(decimals)

const pool = (address: string, changes: Partial<PoolReserves>): PoolReserves => ({
  exchange: 'PulseX V1',
  address,
  base: CONTRACT,
  quote: COIN,
  baseReserve: units(1_000_000),
  quoteReserve: units(100_000_000),
  ...changes,
})

/** A coin costs 0.00005 dollars, and in the other pools, a token costs 100 coins by default. */
const COIN_POOL = pool('0x1', {
  base: COIN,
  quote: DOLLAR,
  baseReserve: units(1_000_000_000),
  quoteReserve: units(50_000),
})

const pricesOf = (pools: PoolReserves[], decimals?: Parameters<typeof market>[0]) =>
  priceFromPools(pools, market(decimals)).map(({ priceUsd }) => priceUsd)

test('converts a price in coins to dollars with the price of the coin', () => {
  assert.deepEqual(priceFromPools([COIN_POOL, pool('0x2', {})], market()), [
    { priceUsd: '0.005', dexId: 'pulsex-v1', pairAddress: '0x2', liquidity: { usd: 10_000 }, source: 'pool' },
  ])
})

test('lists the deepest pool first and averages nothing', () => {
  const dollars = pool('0x3', { quote: DOLLAR, quoteReserve: units(6_000) })
  assert.deepEqual(pricesOf([COIN_POOL, pool('0x2', {}), dollars]), ['0.006', '0.005'])
  const deeper = pool('0x2', { quoteReserve: units(130_000_000) })
  assert.deepEqual(pricesOf([dollars, deeper, COIN_POOL]), ['0.0065', '0.006'])
})

test('takes the price of the coin from the pool with the largest product of reserves', () => {
  const shallow = { ...COIN_POOL, address: '0x4', quoteReserve: units(40_000) }
  const oneSided = { ...COIN_POOL, address: '0x5', baseReserve: units(1_000), quoteReserve: units(60_000) }
  assert.deepEqual(pricesOf([shallow, oneSided, COIN_POOL, pool('0x2', {})]), ['0.005'])
})

test('ignores pools worth less than 1,000 dollars, or less than 10,000 to price the coin', () => {
  const poolWorth = (dollars: number) => pool('0x3', { quote: DOLLAR, quoteReserve: units(dollars) / 2n })
  assert.deepEqual(pricesOf([poolWorth(999)]), [])
  assert.deepEqual(pricesOf([poolWorth(1_000)]), ['0.0005'])
  const smallCoinPool = { ...COIN_POOL, baseReserve: units(99_980_000), quoteReserve: units(4_999) }
  assert.deepEqual(pricesOf([smallCoinPool, pool('0x2', {})]), [])
  assert.deepEqual(pricesOf([smallCoinPool, poolWorth(1_000)]), ['0.0005'])
  assert.deepEqual(pricesOf([pool('0x2', {})]), [], 'without a price of the coin')
  assert.deepEqual(pricesOf([pool('0x3', { quote: DOLLAR, baseReserve: 0n })]), [])
})

test('takes the decimals of each token into account', () => {
  const pools = [
    pool('0x2', { baseReserve: units(1_000_000, 8), quoteReserve: units(100_000_000, 9) }),
    { ...COIN_POOL, baseReserve: units(1_000_000_000, 9), quoteReserve: units(50_000, 6) },
  ]
  assert.deepEqual(pricesOf(pools, { token: 8, coin: 9, dollar: 6 }), ['0.005'])
  const reserves = { baseReserve: units(3_000, 36), quoteReserve: units(1_000, 36) }
  const prices = pricesOf([pool('0x3', { quote: DOLLAR, ...reserves })], { token: 36, coin: 0, dollar: 36 })
  assert.deepEqual(prices, ['0.333333333333333333333333'])
})

test('gives no price that rounds to 0 or reaches a billion dollars', () => {
  const poolWithBase = (baseReserve: bigint) =>
    pool('0x3', { quote: DOLLAR, quoteReserve: units(1_000), baseReserve })
  assert.deepEqual(pricesOf([poolWithBase(units(1) * 10n ** 30n)]), [])
  assert.deepEqual(pricesOf([poolWithBase(1n)]), [])
  assert.deepEqual(pricesOf([poolWithBase(10n ** 13n)]), ['100000000'])
})
