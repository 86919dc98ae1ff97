import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'node:test'
import { SimpleMerkleTree, StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { concat, encodePacked, type Hex, keccak256, toHex } from 'viem'
import { type Column, type LeafType, createLeafWriter } from './encode-leaf.ts'
import { type Keccak, loadKeccak } from './keccak.ts'
import { buildLayeredTree, layeredProofOf, layeredRootOf } from './layered-tree.ts'
import { buildStandardTree, proofOf, rootOf } from './standard-tree.ts'
import { orderOfLeaves } from './sort-leaves.ts'

const ONES: Hex = `0x${'11'.repeat(20)}`
const TWOS: Hex = `0x${'22'.repeat(20)}`

type Field = { type: LeafType; values: readonly (Hex | bigint)[] }

const columnOf = ({ type, values }: Field): Column => ({
  type,
  bytes: Buffer.concat(
    values.map((value) =>
      Buffer.from(toHex(BigInt(value), { size: type === 'address' ? 20 : 32 }).slice(2), 'hex'),
    ),
  ),
})

const standardTree = (keccak: Keccak, columns: readonly Column[], count: number) =>
  buildStandardTree(keccak, count, createLeafWriter(keccak, 'standard', columns))

// Roots computed once, by @openzeppelin/merkle-tree and, for packed leaves, as Uniswap's distributor does.
test('the trees of two rows have the roots that other programs compute', async () => {
  const keccak = await loadKeccak()
  const address = columnOf({ type: 'address', values: [ONES, TWOS] })
  const amount = columnOf({ type: 'uint256', values: [5n, 7n] })
  const index: Column = { type: 'uint256', index: true }
  assert.equal(
    rootOf(standardTree(keccak, [address, amount], 2)),
    '0xd9e2e0948afbf0f9d754cf9083e2282f912d84354126192574d91c1eed90d55b',
  )
  assert.equal(
    rootOf(standardTree(keccak, [index, address, amount], 2)),
    '0x4318932774beab92b0ae3f162cf166e1d6d81dacae2cc37ab4b3811fe3e35911',
  )
  const packed = createLeafWriter(keccak, 'packed', [index, address, amount])
  assert.equal(
    layeredRootOf(buildLayeredTree(keccak, 2, packed)),
    '0xcf50486f5c97e845845dd4413fc8aa36572e0404ba3dbbd93a2fee003877c3d1',
  )
})

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes))
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const manyRows = fc.array(fc.tuple(address, uint256, uint256), { minLength: 1, maxLength: 70 })

/** The types of a leaf's columns, and where their values are: a place in the row, or the row's number. */
const LAYOUTS: readonly { types: readonly LeafType[]; sources: readonly (0 | 1 | 2 | 'index')[] }[] = [
  { types: ['address', 'uint256'], sources: [0, 1] },
  { types: ['address', 'uint256', 'uint256'], sources: [0, 1, 2] },
  { types: ['uint256', 'address', 'uint256'], sources: ['index', 0, 1] },
]

test('the standard tree equals OpenZeppelin’s for any rows and types, node by node and proof by proof', async () => {
  const keccak = await loadKeccak()
  fc.assert(
    fc.property(manyRows, fc.constantFrom(...LAYOUTS), (rows, { types, sources }) => {
      const columns = sources.map((source, place): Column => {
        const type = types[place] as LeafType
        return source === 'index'
          ? { type, index: true }
          : columnOf({ type, values: rows.map((row) => row[source]) })
      })
      const ours = standardTree(keccak, columns, rows.length)
      const values = rows.map((row, number) =>
        sources.map((source) => (source === 'index' ? number : row[source])),
      )
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

test('keeps rows with equal leaves in their order, as OpenZeppelin does', async () => {
  const keccak = await loadKeccak()
  const values = Array.from({ length: 9 }, (_, row) => (row % 3 === 0 ? ONES : TWOS))
  const ours = standardTree(keccak, [columnOf({ type: 'address', values })], 9)
  const theirs = StandardMerkleTree.of(
    values.map((value) => [value]),
    ['address'],
  )
  const treeIndices = theirs.dump().values.map(({ treeIndex }) => treeIndex)
  assert.deepEqual([...ours.leafAt], treeIndices)
})

/** Uniswap's algorithm, written from its description: no reference package ships it. */
function uniswapLayers(leaves: readonly Hex[]): Hex[][] {
  const layers = [leaves.toSorted()]
  for (let layer = layers[0] ?? []; layer.length > 1;) {
    layer = layer.flatMap((node, place) => {
      const sibling = layer[place + 1]
      if (place % 2 === 1) return []
      return [sibling === undefined ? node : keccak256(concat([node, sibling].toSorted()))]
    })
    layers.push(layer)
  }
  return layers
}

test('pairs Uniswap’s leaves in layers, at every size from 1 to 40', async () => {
  const keccak = await loadKeccak()
  for (let count = 1; count <= 40; count += 1) {
    const rows = Array.from(
      { length: count },
      (_, row) => [toHex(row + 7, { size: 20 }), BigInt(row) ** 9n + 1n] as const,
    )
    const columns: Column[] = [
      { type: 'uint256', index: true },
      columnOf({ type: 'address', values: rows.map(([wallet]) => wallet) }),
      columnOf({ type: 'uint256', values: rows.map(([, amount]) => amount) }),
    ]
    const tree = buildLayeredTree(keccak, count, createLeafWriter(keccak, 'packed', columns))
    const leaves = rows.map(([wallet, amount], index) =>
      keccak256(encodePacked(['uint256', 'address', 'uint256'], [BigInt(index), wallet, amount])),
    )
    const root = layeredRootOf(tree)
    assert.equal(root, uniswapLayers(leaves).at(-1)?.[0], `${count} leaves`)
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
