import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { compileSolidity } from '#server/testing/chain/solidity.ts'

/** `node tools/compile-probe.ts`: compiles contract/token-proofs/probe.sol into probe-code.ts beside it. */

const FOLDER = path.resolve(import.meta.dirname, '../contract/token-proofs')
const target = path.join(FOLDER, 'probe-code.ts')

const { TaxProbe } = await compileSolidity(path.join(FOLDER, 'probe.sol'), { optimize: true })
if (!TaxProbe) throw new Error('probe.sol has no TaxProbe')
const before = await readFile(target, 'utf8').catch(() => '')
const after = `/** Creation code of TaxProbe in probe.sol, by tools/compile-probe.ts; a test compiles it and compares. */
export const PROBE_CODE =
  '${TaxProbe.bytecode}'
`
if (before !== after) await writeFile(target, after)
