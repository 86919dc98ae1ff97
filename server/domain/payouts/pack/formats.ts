import type { Asset } from '#contract/allocation.ts'
import { toWholeUnits } from '#contract/whole-units.ts'
import { type LayeredTree, layeredProofOf, layeredRootOf } from './merkle/layered-tree.ts'
import { hexAt } from './merkle/nodes.ts'
import type { Tree } from './merkle/standard-tree.ts'
import type { RowTable } from './row-table.ts'
import type { PackFacts } from './types.ts'

/** The recipients of one asset, in the order of the allocation; places count from 0. */
export type Recipients = {
  count: number
  /** In base units. */
  total: bigint
  decimals: number
  /** Null for the native coin. */
  token: string | null
  /** Row numbers in the allocation, by place. */
  rows: Uint32Array
  wallet: (place: number) => string
  amount: (place: number) => bigint
}

export function recipientsOf(table: RowTable, asset: Asset, { token, coin }: PackFacts): Recipients {
  const rows = table.rowsOf(asset)
  const rowAt = (place: number) => rows[place] as number
  return {
    count: rows.length,
    total: table.totals[asset],
    decimals: asset === 'pf' ? token.decimals : coin.decimals,
    token: asset === 'pf' ? token.contract : null,
    rows,
    wallet: (place) => table.wallet(rowAt(place)),
    amount: (place) => table.amount(rowAt(place), asset),
  }
}

/** Rows per file. Safe's app makes one transaction of a file, and refuses more than 500 lines. */
export const MAX_SAFE_ROWS = 400
/** Sablier refuses a campaign with fewer recipients. */
export const MIN_SABLIER_RECIPIENTS = 2

/** For people and spreadsheets: whole units and base units. */
export function* plainList(recipients: Recipients): Generator<string> {
  yield 'address,amount,base_units\n'
  for (let place = 0; place < recipients.count; place += 1)
    yield `${recipients.wallet(place)},${wholeUnits(recipients, place)},${recipients.amount(place)}\n`
}

/** For the text field of disperse.app and similar ones: no header, whole units, no space after the comma. */
export function* disperseList(recipients: Recipients): Generator<string> {
  for (let place = 0; place < recipients.count; place += 1)
    yield `${recipients.wallet(place)},${wholeUnits(recipients, place)}\n`
}

/** Sablier's CSV, in whole units. */
export function* sablierList(recipients: Recipients): Generator<string> {
  yield 'address,amount\n'
  yield* disperseList(recipients)
}

export const safeFileCount = ({ count }: Recipients) => Math.ceil(count / MAX_SAFE_ROWS)

/**
 * A file for Safe's CSV Airdrop: whole units, only the columns that the app knows, and no final line break,
 * which the app would count as a line. @param file its number, from 0.
 */
export function* safeList(recipients: Recipients, file: number): Generator<string> {
  yield 'token_type,token_address,receiver,amount,id'
  const [type, address] = recipients.token === null ? ['native', ''] : ['erc20', recipients.token]
  const end = Math.min((file + 1) * MAX_SAFE_ROWS, recipients.count)
  for (let place = file * MAX_SAFE_ROWS; place < end; place += 1)
    yield `\n${type},${address},${recipients.wallet(place)},${wholeUnits(recipients, place)},`
}

const wholeUnits = ({ amount, decimals }: Recipients, place: number) => toWholeUnits(amount(place), decimals)

const ADDRESS_DIGITS = 40

/** Recipients' places in the order of Uniswap's script: by address as text with its checksum. */
export function uniswapOrder({ count, wallet }: Recipients): Uint32Array {
  const texts = Buffer.alloc(count * ADDRESS_DIGITS)
  for (let place = 0; place < count; place += 1)
    texts.write(wallet(place).slice(2), place * ADDRESS_DIGITS, 'latin1')
  const start = (place: number) => place * ADDRESS_DIGITS
  // `compare` takes the range of `b`, its target, first.
  return Uint32Array.from({ length: count }, (_, place) => place).toSorted((a, b) =>
    texts.compare(texts, start(b), start(b) + ADDRESS_DIGITS, start(a), start(a) + ADDRESS_DIGITS),
  )
}

/** Claims as Uniswap's script `generate-merkle-root` writes them. The tree's rows are in the same `order`. */
export function* uniswapClaims(
  recipients: Recipients,
  order: Uint32Array,
  tree: LayeredTree,
): Generator<string> {
  yield `{"merkleRoot":"${layeredRootOf(tree)}","tokenTotal":"${toHex(recipients.total)}","claims":{`
  for (const [index, place] of order.entries()) {
    const claim = { index, amount: toHex(recipients.amount(place)), proof: layeredProofOf(tree, index) }
    yield `${index === 0 ? '' : ','}\n"${recipients.wallet(place)}":${JSON.stringify(claim)}`
  }
  yield '}}\n'
}

/** Writes a number as Uniswap's script does: with an even number of digits. */
function toHex(amount: bigint): string {
  const digits = amount.toString(16)
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

/** For OpenZeppelin's `StandardMerkleTree.load`. @param fieldsOf a row's fields as text, in base units. */
export function* standardDump(
  { nodes, leafAt }: Tree,
  leafEncoding: readonly string[],
  fieldsOf: (row: number) => readonly string[],
): Generator<string> {
  yield `{"format":"standard-v1","leafEncoding":${JSON.stringify(leafEncoding)},\n"tree":[`
  for (let node = 0; node < 2 * leafAt.length - 1; node += 1)
    yield `${node === 0 ? '' : ',\n'}"${hexAt(nodes, node)}"`
  yield '],\n"values":['
  for (const [row, treeIndex] of leafAt.entries())
    yield `${row === 0 ? '' : ',\n'}{"value":${JSON.stringify(fieldsOf(row))},"treeIndex":${treeIndex}}`
  yield ']}\n'
}
