import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { orderOfLeaves } from './sort-leaves.ts'

/** Bytes from a small alphabet, so that leaves often begin alike, and sometimes are alike. */
const leaf = fc
  .array(fc.constantFrom(0, 1, 127, 128, 255), { minLength: 6, maxLength: 6 })
  .map(([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) =>
    Uint8Array.from([a, b, c, d, ...Array<number>(27).fill(e), f]),
  )

test('orders leaves by all of their bytes, and equal ones by their row', () => {
  fc.assert(
    fc.property(fc.array(leaf, { maxLength: 60 }), (leaves) => {
      const expected = [...leaves.keys()].toSorted(
        (a, b) => Buffer.compare(leaves[a] ?? leaf0, leaves[b] ?? leaf0) || a - b,
      )
      assert.deepEqual([...orderOfLeaves(Buffer.concat(leaves), leaves.length)], expected)
    }),
  )
})
const leaf0 = new Uint8Array(32)
