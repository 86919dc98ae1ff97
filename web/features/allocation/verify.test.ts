import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import fc from 'fast-check'
import { getAddress, type Hex } from 'viem'
import { type Allotment, isAllotted, leafOf, readAddress } from './verify.ts'

const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const wallet = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString('hex')}`))
const rows = fc.array(fc.tuple(wallet, amount, amount), { minLength: 1, maxLength: 20 })

function treeOf(values: readonly (readonly [Hex, bigint, bigint])[]) {
  const tree = StandardMerkleTree.of(
    values.map((row) => [...row]),
    ['address', 'uint256', 'uint256'],
  )
  const allotments = values.map(([address, pf, pls], index): Allotment => ({
    wallet: address,
    amounts: { pf: `${pf}`, pls: `${pls}` },
    proof: tree.getProof(index),
  }))
  return { tree, allotments }
}

test('accepts every row of an OpenZeppelin tree, with hashes in lower and upper case', () => {
  fc.assert(
    fc.property(rows, (values) => {
      const { tree, allotments } = treeOf(values)
      for (const [index, allotment] of allotments.entries()) {
        assert.equal(leafOf(allotment), tree.leafHash(values[index] ?? assert.fail()))
        assert.ok(isAllotted(allotment, tree.root))
        const proof = allotment.proof.map((hash) => hash.toUpperCase())
        assert.ok(isAllotted({ ...allotment, proof }, tree.root.toUpperCase()))
      }
    }),
    { numRuns: 20 },
  )
})

const SEVEN_ROWS = Array.from(
  { length: 7 },
  (_, index) => [getAddress(`0x${`${index + 1}a`.repeat(20)}`), BigInt(index) * 10n ** 18n, 5n] as const,
)

test('rejects an allotment with another wallet, amount, proof or root', () => {
  const { tree, allotments } = treeOf(SEVEN_ROWS)
  const [genuine, other] = allotments as [Allotment, Allotment]
  const forgeries: Allotment[] = [
    { ...genuine, wallet: other.wallet },
    { ...genuine, amounts: { ...genuine.amounts, pf: '1' } },
    { ...genuine, amounts: { pf: genuine.amounts.pls, pls: genuine.amounts.pf } },
    { ...genuine, proof: other.proof },
    { ...genuine, proof: [] },
    { ...genuine, proof: genuine.proof.slice(1) },
    { ...genuine, proof: genuine.proof.toReversed() },
    { ...genuine, proof: [...genuine.proof, tree.root] },
    { ...genuine, proof: ['0x12'] },
    { ...genuine, proof: ['no hash'] },
    { ...genuine, amounts: { pf: '-1', pls: '5' } },
    { ...genuine, amounts: { pf: 'many', pls: '5' } },
    { ...genuine, amounts: { pf: `${2n ** 256n}`, pls: '5' } },
  ]
  assert.ok(isAllotted(genuine, tree.root))
  for (const forged of forgeries) assert.equal(isAllotted(forged, tree.root), false, JSON.stringify(forged))
  assert.equal(isAllotted(genuine, `0x${'1'.repeat(64)}`), false)
})

test('reads an address in any spelling and adds its checksum', () => {
  fc.assert(
    fc.property(wallet, (address) => {
      const upper = `0X${address.slice(2).toUpperCase()}`
      for (const spelling of [address, address.toLowerCase(), upper, ` ${address}\n`])
        assert.deepEqual(readAddress(spelling), { wallet: address })
    }),
  )
})

test('says whether the checksum or the format of an address is wrong', () => {
  const valid = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  assert.deepEqual(readAddress(valid), { wallet: valid })
  assert.deepEqual(readAddress(valid.replace('A', 'a')), { fault: 'checksum' })
  for (const text of ['', '0x', valid.slice(0, -1), `${valid}0`, `0${valid}`, valid.slice(2), 'vitalik.eth'])
    assert.deepEqual(readAddress(text), { fault: 'format' })
})
