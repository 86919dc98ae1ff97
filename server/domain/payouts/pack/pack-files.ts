import { packReadme } from '#web/content/dashboard/payout-pack.ts'
import {
  disperseList,
  plainList,
  type Recipients,
  recipientsOf,
  MIN_SABLIER_RECIPIENTS,
  sablierList,
  safeFileCount,
  safeList,
  standardDump,
  uniswapClaims,
  uniswapOrder,
} from './formats.ts'
import { buildLayeredTree } from './merkle/layered-tree.ts'
import { createLeafWriter, type Keccak } from './merkle/nodes.ts'
import { buildStandardTree, type OnHashed, type Tree } from './merkle/standard-tree.ts'
import type { RowTable } from './row-table.ts'
import { type Asset, ASSETS, LEAF_ENCODING } from '#contract/allocation.ts'
import type { PackFacts } from './types.ts'

/** `content` yields the file in pieces, mostly small texts, and may first have to build a tree. */
export type PackFile = { path: string; content: () => Iterable<string | Uint8Array> }

export type PackSource = {
  keccak: Keccak
  table: RowTable
  /** The Merkle tree of the table's rows, whose root is public. */
  tree: Tree
  facts: PackFacts
  onHashed: OnHashed
}

/** A pack's files for payment tools, in the order of writing. Each tree is built when its file is written. */
export function* packFiles(source: PackSource): Generator<PackFile> {
  const { table, tree, facts } = source
  yield { path: 'README.md', content: () => [packReadme(facts, table)] }
  if (facts.contracts.length > 0)
    yield { path: 'contracts.txt', content: () => facts.contracts.map((wallet) => `${wallet}\n`) }
  yield { path: 'allocation.json', content: () => allocationDump(table, tree) }
  for (const asset of ASSETS) yield* assetFiles(source, asset)
}

const allocationDump = (table: RowTable, tree: Tree) =>
  standardDump(tree, LEAF_ENCODING, (row) => [
    table.wallet(row),
    table.amount(row, 'pf').toString(),
    table.amount(row, 'pls').toString(),
  ])

function* assetFiles(source: PackSource, asset: Asset): Generator<PackFile> {
  const { keccak, table, facts, onHashed } = source
  const recipients = recipientsOf(table, asset, facts)
  if (recipients.count === 0) return
  yield { path: `${asset}/recipients.csv`, content: () => plainList(recipients) }
  yield { path: `${asset}/disperse.txt`, content: () => disperseList(recipients) }
  yield* safeFiles(recipients, asset)
  if (recipients.count >= MIN_SABLIER_RECIPIENTS)
    yield { path: `${asset}/sablier.csv`, content: () => sablierList(recipients) }
  yield {
    path: `${asset}/openzeppelin.json`,
    content() {
      const writeLeaf = createLeafWriter(keccak, 'standard', table.columnsOf(asset, recipients.rows))
      const tree = buildStandardTree(keccak, recipients.count, writeLeaf, onHashed)
      return standardDump(tree, ['address', 'uint256'], (place) => [
        recipients.wallet(place),
        recipients.amount(place).toString(),
      ])
    },
  }
  yield { path: `${asset}/uniswap.json`, content: () => uniswapFile(source, asset, recipients) }
}

function* safeFiles(recipients: Recipients, asset: Asset): Generator<PackFile> {
  const count = safeFileCount(recipients)
  const numbered = (file: number) => String(file + 1).padStart(String(count).length, '0')
  for (let file = 0; file < count; file += 1)
    yield {
      path: `${asset}/safe/safe-${numbered(file)}-of-${count}.csv`,
      content: () => safeList(recipients, file),
    }
}

function uniswapFile({ keccak, table, onHashed }: PackSource, asset: Asset, recipients: Recipients) {
  const order = uniswapOrder(recipients)
  const rows = order.map((place) => recipients.rows[place] as number)
  const columns = [{ type: 'uint256', index: true } as const, ...table.columnsOf(asset, rows)]
  const tree = buildLayeredTree(
    keccak,
    recipients.count,
    createLeafWriter(keccak, 'packed', columns),
    onHashed,
  )
  return uniswapClaims(recipients, order, tree)
}
