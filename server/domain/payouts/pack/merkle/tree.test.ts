import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { SimpleMerkleTree, StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { concat, encodePacked, type Hex, keccak256, toHex } from 'viem'
import { buildLayeredTree, layeredProofOf, layeredRootOf } from './layered-tree.ts'
import { type Column, createLeafWriter, type LeafType, loadKeccak, orderOfLeaves } from './nodes.ts'
import { buildStandardTree, proofOf, rootOf } from './standard-tree.ts'

/** Makes a column of the values at `place` in each row. */
const columnOf = (type: LeafType, rows: readonly (readonly (Hex | bigint)[])[], place: number): Column => {
  const size = type === 'address' ? 20 : 32
  const values = rows.map((row) => toHex(BigInt(row[place] ?? 0n), { size }).slice(2))
  return { type, bytes: Buffer.from(values.join(''), 'hex') }
}

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes))
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const manyRows = fc.array(fc.tuple(address, uint256, uint256), { minLength: 1, maxLength: 70 })

/** The types of the leaves of one asset, and of the whole allocation. */
const LAYOUTS = [
  ['address', 'uint256'],
  ['address', 'uint256', 'uint256'],
] as const

test('the standard tree equals OpenZeppelin’s for any rows and types, node by node and proof by proof', async () => {
  const keccak = await loadKeccak()
  fc.assert(
    fc.property(manyRows, fc.constantFrom(...LAYOUTS), (rows, types) => {
      const columns = types.map((type, place) => columnOf(type, rows, place))
      const ours = buildStandardTree(keccak, rows.length, createLeafWriter(keccak, 'standard', columns))
      const values = rows.map((row) => row.slice(0, types.length))
      const theirs = StandardMerkleTree.of(values, [...types])
      assert.equal(rootOf(ours), theirs.root)
      const dump = theirs.dump()
      assert.equal(Buffer.from(ours.nodes).toString('hex'), dump.tree.map((node) => node.slice(2)).join(''))
      for (const [row, { treeIndex }] of dump.values.entries()) {
        assert.equal(ours.leafAt[row], treeIndex)
        assert.deepEqual(proofOf(ours, row), theirs.getProof(row))
      }
    }),
    { numRuns: 40 },
  )
})

/** Uniswap's algorithm, written from its description: no reference package ships it. */
function uniswapRoot(leaves: readonly Hex[]): Hex | undefined {
  let layer = leaves.toSorted()
  while (layer.length > 1)
    layer = layer.flatMap((node, place) => {
      const sibling = layer[place + 1]
      if (place % 2 === 1) return []
      return [sibling === undefined ? node : keccak256(concat([node, sibling].toSorted()))]
    })
  return layer[0]
}

test('pairs Uniswap’s leaves in layers, at every size from 1 to 40', async () => {
  const keccak = await loadKeccak()
  for (let count = 1; count <= 40; count += 1) {
    const rows = Array.from(
      { length: count },
      (_, row) => [toHex(row + 7, { size: 20 }), BigInt(row) ** 9n + 1n] as const, // arbitrary
    )
    const columns: Column[] = [
      { type: 'uint256', index: true },
      columnOf('address', rows, 0),
      columnOf('uint256', rows, 1),
    ]
    const tree = buildLayeredTree(keccak, count, createLeafWriter(keccak, 'packed', columns))
    const leaves = rows.map(([wallet, amount], index) =>
      keccak256(encodePacked(['uint256', 'address', 'uint256'], [BigInt(index), wallet, amount])),
    )
    const root = layeredRootOf(tree)
    assert.equal(root, uniswapRoot(leaves), `${count} leaves`)
    for (const [row, leaf] of leaves.entries())
      assert.ok(SimpleMerkleTree.verify(root, leaf, layeredProofOf(tree, row)), `row ${row} of ${count}`)
  }
})

/** Few different bytes, so that leaves often begin alike, and are sometimes equal. */
const leaf = fc
  .array(fc.constantFrom(0, 1, 127, 128, 255), { minLength: 6, maxLength: 6 })
  .map(([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) =>
    Uint8Array.from([a, b, c, d, ...Array<number>(27).fill(e), f]),
  )

test('orders leaves by all of their bytes, and equal ones by their row', () => {
  fc.assert(
    fc.property(fc.array(leaf, { maxLength: 60 }), (leaves) => {
      const expected = [...leaves.keys()].toSorted(
        (a, b) => Buffer.compare(leaves[a] as Uint8Array, leaves[b] as Uint8Array) || a - b,
      )
      assert.deepEqual([...orderOfLeaves(Buffer.concat(leaves), leaves.length)], expected)
    }),
  )
})
