import { type LayeredTree, layeredProofOf, layeredRootOf } from '../merkle/layered-tree.ts'
import { hexAt } from '../merkle/nodes.ts'
import type { Tree } from '../merkle/standard-tree.ts'
import type { Recipients } from './recipient-lists.ts'

const ADDRESS_DIGITS = 40

/** Recipients' places in the order of Uniswap's script: by address as text with its checksum. */
export function uniswapOrder({ count, wallet }: Recipients): Uint32Array {
  const texts = Buffer.alloc(count * ADDRESS_DIGITS)
  for (let place = 0; place < count; place += 1)
    texts.write(wallet(place).slice(2), place * ADDRESS_DIGITS, 'latin1')
  const start = (place: number) => place * ADDRESS_DIGITS
  return Uint32Array.from({ length: count }, (_, place) => place).toSorted((a, b) =>
    texts.compare(texts, start(b), start(b) + ADDRESS_DIGITS, start(a), start(a) + ADDRESS_DIGITS),
  )
}

/**
 * The claims of Uniswap's MerkleDistributor, as its script `generate-merkle-root` writes them.
 * @param order from {@link uniswapOrder}; the tree's rows are in the same order.
 */
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

/**
 * OpenZeppelin's dump, which `StandardMerkleTree.load` reads.
 * @param fieldsOf a row's fields as text; numbers in base units.
 */
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
