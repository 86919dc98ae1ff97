import { hexAt } from '../merkle/nodes.ts'
import type { Tree } from '../merkle/standard-tree.ts'

/**
 * OpenZeppelin's dump, which `StandardMerkleTree.load` reads.
 * @param valueOf a row's fields as text; numbers in base units.
 */
export function* standardDump(
  { nodes, leafAt }: Tree,
  leafEncoding: readonly string[],
  valueOf: (row: number) => readonly string[],
): Generator<string> {
  yield `{"format":"standard-v1","leafEncoding":${JSON.stringify(leafEncoding)},\n"tree":[`
  for (let node = 0; node < 2 * leafAt.length - 1; node += 1)
    yield `${node === 0 ? '' : ',\n'}"${hexAt(nodes, node)}"`
  yield '],\n"values":['
  for (const [row, treeIndex] of leafAt.entries())
    yield `${row === 0 ? '' : ',\n'}{"value":${JSON.stringify(valueOf(row))},"treeIndex":${treeIndex}}`
  yield ']}\n'
}
