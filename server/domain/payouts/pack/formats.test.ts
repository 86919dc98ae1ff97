import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import fc from 'fast-check'
import { formatUnits, isAddress, parseUnits } from 'viem'
import type { Asset } from '#contract/allocation.ts'
import { toWholeUnits } from '#contract/whole-units.ts'
import { MAX_SAFE_ROWS } from './formats.ts'
import { createLeafWriter, loadKeccak } from './merkle/nodes.ts'
import { buildStandardTree } from './merkle/standard-tree.ts'
import { packFiles } from './pack-files.ts'
import { RowTable } from './row-table.ts'
import { packFacts, payoutRows } from './testing/allocation.ts'
import type { PackFacts, PayoutRow } from './types.ts'

const decimalsOf = ({ token, coin }: PackFacts, asset: Asset) =>
  asset === 'pf' ? token.decimals : coin.decimals

async function filesOf(rows: readonly PayoutRow[], facts = packFacts(rows)): Promise<Map<string, string>> {
  const keccak = await loadKeccak()
  const table = new RowTable(keccak)
  for (const row of rows) table.add(row)
  const writeLeaf = createLeafWriter(keccak, 'standard', table.columns())
  const tree = buildStandardTree(keccak, table.count, writeLeaf)
  const source = { keccak, table, tree, facts, onHashed() {} }
  return new Map([...packFiles(source)].map(({ path, content }) => [path, [...content()].join('')]))
}

const amountsOf = (rows: readonly PayoutRow[], asset: Asset) =>
  new Map(rows.filter((row) => row[asset] > 0n).map((row) => [row.wallet, row[asset]]))

/** Safe's app refuses a file with more lines. */
const MAX_SAFE_LINES = 500

/** What safe-airdrop's parser reads from a file. Asserts that it would accept every row. */
function readSafe(text: string, token: string | null, decimals: number): [string, bigint][] {
  const [header, ...rows] = text.split(/\r\n|\r|\n/)
  assert.equal(header, 'token_type,token_address,receiver,amount,id')
  return rows.map((line) => {
    const [type, address, wallet = '', amount = '', ...id] = line.split(',')
    assert.deepEqual([type, address, id], [token === null ? 'native' : 'erc20', token ?? '', ['']], line)
    assert.ok(isAddress(wallet, { strict: true }))
    assert.match(amount, /^\d+(\.\d+)?$/)
    return [wallet, parseUnits(amount, decimals)]
  })
}

/** What Sablier's merkle-api reads from a file. Asserts that it would accept every row. */
function readSablier(text: string, decimals: number): [string, bigint][] {
  const [header, ...rows] = text.trimEnd().split('\n')
  assert.equal(header, 'address,amount')
  const pattern = new RegExp(String.raw`^\d+(\.\d{1,${decimals}})?$`)
  return rows.map((line) => {
    const [wallet = '', amount = '', ...others] = line.split(',')
    assert.deepEqual(others, [], line)
    assert.ok(isAddress(wallet))
    assert.match(amount, pattern)
    return [wallet, parseUnits(amount, decimals)]
  })
}

test('Safe’s parser accepts the files for Safe, which together have every payment once', async () => {
  const rows = payoutRows(500)
  const facts = packFacts(rows)
  const files = await filesOf(rows, facts)
  for (const asset of ['pf', 'pls'] as const) {
    const chunks = [...files].filter(([path]) => path.startsWith(`${asset}/safe/`))
    assert.equal(chunks.length, Math.ceil(amountsOf(rows, asset).size / MAX_SAFE_ROWS))
    const token = asset === 'pf' ? facts.token.contract : null
    const paid = chunks.flatMap(([, text]) => readSafe(text, token, decimalsOf(facts, asset)))
    assert.deepEqual(paid, [...amountsOf(rows, asset)])
    for (const [path, text] of chunks) assert.ok(text.split('\n').length <= MAX_SAFE_LINES, path)
  }
})

test('parsers of the other lists read exact amounts', async () => {
  const rows = payoutRows(40)
  const facts = packFacts(rows)
  const files = await filesOf(rows, facts)
  for (const asset of ['pf', 'pls'] as const) {
    const expected = [...amountsOf(rows, asset)]
    const decimals = decimalsOf(facts, asset)
    assert.deepEqual(readSablier(files.get(`${asset}/sablier.csv`) ?? '', decimals), expected)
    const disperse = files.get(`${asset}/disperse.txt`) ?? ''
    assert.match(disperse, /^(0x[0-9a-fA-F]{40},[0-9]+(\.[0-9]+)?\n)+$/)
    const parsed = Array.from(disperse.trimEnd().split('\n'), (line) => [
      line.slice(0, 42),
      parseUnits(line.slice(43), decimals),
    ])
    assert.deepEqual(parsed, expected)
    const [header, ...lines] = (files.get(`${asset}/recipients.csv`) ?? '').trimEnd().split('\n')
    assert.equal(header, 'address,amount,base_units')
    const list = expected.map(([wallet, amount]) => `${wallet},${formatUnits(amount, decimals)},${amount}`)
    assert.deepEqual(lines, list)
  }
})

test('leaves out Sablier’s file of an asset with one recipient, and the folder of an asset without any', async () => {
  const [first, second] = payoutRows(2) as [PayoutRow, PayoutRow]
  const files = await filesOf([
    { ...first, pf: 1n, pls: 0n },
    { ...second, pf: 0n, pls: 7n },
  ])
  assert.ok(files.has('pf/uniswap.json') && files.has('pls/uniswap.json'))
  assert.ok(!files.has('pf/sablier.csv'))
  const onlyTokens = await filesOf([first, second].map((row) => ({ ...row, pf: 1n, pls: 0n })))
  assert.ok(onlyTokens.has('pf/sablier.csv'))
  assert.ok(![...onlyTokens.keys()].some((path) => path.startsWith('pls/')))
})

test('OpenZeppelin’s library loads the files for it: valid trees with every row', async () => {
  const rows = payoutRows(13)
  const files = await filesOf(rows)
  for (const [file, ...assets] of [
    ['allocation.json', 'pf', 'pls'],
    ['pf/openzeppelin.json', 'pf'],
    ['pls/openzeppelin.json', 'pls'],
  ] as const) {
    const tree = StandardMerkleTree.load<string[]>(JSON.parse(files.get(file) ?? ''))
    tree.validate()
    const paid = rows.filter((row) => assets.some((asset) => row[asset] > 0n))
    const expected = paid.map((row) => [row.wallet, ...assets.map((asset) => String(row[asset]))])
    const values = Array.from(tree.entries(), ([, value]) => value)
    assert.deepEqual(values, expected, file)
  }
})

type Claims = { tokenTotal: string; claims: Record<string, { index: number; amount: string }> }

test('Uniswap’s claims are in the order of its script, with hexadecimal amounts', async () => {
  const rows = payoutRows(29)
  const files = await filesOf(rows)
  for (const asset of ['pf', 'pls'] as const) {
    const { tokenTotal, claims } = JSON.parse(files.get(`${asset}/uniswap.json`) ?? '') as Claims
    const expected = amountsOf(rows, asset)
    assert.deepEqual(Object.keys(claims), [...expected.keys()].toSorted())
    const total = expected.values().reduce((sum, amount) => sum + amount, 0n)
    assert.equal(BigInt(tokenTotal), total)
    for (const [place, [wallet, claim]] of Object.entries(claims).entries()) {
      assert.equal(claim.index, place)
      assert.match(claim.amount, /^0x([0-9a-f]{2})+$/)
      assert.equal(BigInt(claim.amount), expected.get(wallet))
    }
  }
})

test('whole units are exact for all decimals of a token', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 77 }), (units, decimals) => {
      const text = toWholeUnits(units, decimals)
      assert.equal(text, formatUnits(units, decimals))
      assert.match(text, /^(0|[1-9]\d*)(\.\d*[1-9])?$/)
    }),
  )
})
