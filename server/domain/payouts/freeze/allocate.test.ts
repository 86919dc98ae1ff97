import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  agreesWithLedger,
  createPayableCalculator,
  emptyTotals,
  groupByWallet,
  type Holder,
  POINT_KINDS,
} from './allocate.ts'

const decimal = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 999_999n }),
    fc.integer({ min: 0, max: 18 }),
    fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
  )
  .map(([whole, length, fraction]) => {
    const digits = String(fraction).padStart(18, '0').slice(0, length)
    return digits === '' ? String(whole) : `${whole}.${digits}`
  })
const anyAsset = fc.record({ symbol: fc.constant('X'), decimals: fc.integer({ min: 0, max: 30 }) })
const anyTerms = fc.record({
  perPoint: fc.record({ pf: decimal, pls: decimal, referral: decimal }),
  minimum: fc.record({ pf: decimal, pls: decimal }),
  token: anyAsset.map((token) => ({ ...token, contract: '' })),
  coin: anyAsset.map((coin) => ({ ...coin, wrapped: null })),
})
const points = fc.record({
  pf: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  pls: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  referral: fc.bigInt({ min: 0n, max: 10n ** 9n }),
})
/** Few wallets, so that some are shared. */
const anyHolders = fc.array(
  fc.record({ wallet: fc.constantFrom('0x1', '0x2', '0x3', '0x4'), points, isContract: fc.boolean() }),
  { minLength: 1, maxLength: 12 },
)

type AnyHolder = Pick<Holder, 'wallet' | 'points' | 'isContract'>

async function* inOrder(holders: readonly AnyHolder[]): AsyncGenerator<Holder> {
  const sorted = holders.toSorted((one, other) => Number(one.wallet) - Number(other.wallet))
  for (const [index, holder] of sorted.entries())
    yield { ...holder, userId: `u${index}`, claimId: `c${index}` }
}

test('amounts paid and left out add up to all points at their rates, also in shared wallets', async () => {
  await fc.assert(
    fc.asyncProperty(anyHolders, anyTerms, async (holders, terms) => {
      const sums = emptyTotals()
      const ledger = { pf: 0n, pls: 0n, referral: 0n }
      for (const holder of holders) for (const kind of POINT_KINDS) ledger[kind] += holder.points[kind]
      const payableOf = createPayableCalculator(terms)
      const leftOut = { pf: 0n, pls: 0n, count: 0 }
      let people = 0
      for await (const group of groupByWallet(inOrder(holders))) {
        people += group.holders.length
        const { paid, tooLittle } = payableOf(group.points)
        const hasContract = group.holders.some(({ isContract }) => isContract)
        assert.equal(group.isContract, hasContract)
        for (const kind of POINT_KINDS) sums.points[kind] += group.points[kind]
        for (const asset of ['pf', 'pls'] as const) {
          assert.ok(paid[asset] === 0n || tooLittle[asset] === 0n, 'amounts are paid or left out whole')
          sums.paid[asset] += paid[asset]
          leftOut[asset] += tooLittle[asset]
        }
        sums.roundings += 1n // each wallet rounds once
      }
      sums.leftOut.set('below_minimum', leftOut)
      assert.equal(people, holders.length)
      assert.ok(agreesWithLedger(sums, ledger, terms))
      for (const asset of ['pf', 'pls'] as const) {
        // Rounding loses less than one base unit per wallet.
        const moreThanRounding = 1n + BigInt(holders.length)
        for (const error of [moreThanRounding, -moreThanRounding]) {
          const wrong = { ...sums, paid: { ...sums.paid, [asset]: sums.paid[asset] + error } }
          assert.ok(!agreesWithLedger(wrong, ledger, terms), `${error} base units are noticed`)
        }
      }
      assert.ok(!agreesWithLedger(sums, { ...ledger, referral: ledger.referral + 1n }, terms))
    }),
    { numRuns: 300 },
  )
})

test('rounds down to the smallest unit of the token, and compares minimums before rounding', () => {
  /** What is paid for points of the kind PF, and what is left out as too little. */
  const splitAt = (perPoint: string, decimals: number, pf: bigint, minimum = '0') => {
    const payableOf = createPayableCalculator({
      perPoint: { pf: perPoint, pls: '0', referral: '0' },
      minimum: { pf: minimum, pls: '0' },
      token: { symbol: 'X', contract: '', decimals },
      coin: { symbol: 'Y', wrapped: null, decimals: 18 },
    })
    const { paid, tooLittle } = payableOf({ pf, pls: 0n, referral: 0n })
    return [paid.pf, tooLittle.pf]
  }
  assert.deepEqual(splitAt('0.333', 2, 10n), [333n, 0n])
  assert.deepEqual(splitAt('0.333', 1, 10n), [33n, 0n])
  assert.deepEqual(splitAt('0.333', 0, 10n), [3n, 0n])
  assert.deepEqual(splitAt('0.000000000000000001', 18, 3n), [3n, 0n])
  assert.deepEqual(splitAt('1', 24, 2n), [2n * 10n ** 24n, 0n])
  assert.deepEqual(splitAt('0.5', 0, 3n, '1.5'), [1n, 0n], 'the amount is 1.5 before it is rounded')
  assert.deepEqual(splitAt('0.5', 0, 3n, '1.500000000000000001'), [0n, 1n])
  assert.deepEqual(splitAt('0', 18, 5n), [0n, 0n])
})
