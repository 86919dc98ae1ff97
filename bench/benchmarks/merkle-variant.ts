import { createHash } from 'node:crypto'
import { SEED } from '../report.ts'

/**
 * Builds one tree in a process of its own, so that its peak of memory is its own: `fork('merkle-variant.ts', ['ours' or
 * 'theirs', recipients])`. Each library gets the recipients as it wants them; making them is not measured.
 */
export type Built = { seconds: number; peakMb: number; root: string }

const [variant, count = '0'] = process.argv.slice(2)
const built = await (variant === 'ours' ? ours : theirs)(Number(count))
process.send?.({ ...built, peakMb: process.resourceUsage().maxRSS / 1024 } satisfies Built)

/** 20 bytes of wallet and 12 of amount, by recipient. */
function recipient(index: number): Buffer {
  return createHash('sha256').update(`${SEED} ${index}`).digest()
}

async function ours(recipients: number) {
  const { loadKeccak } = await import('#server/domain/payouts/pack/merkle/keccak.ts')
  const { leafWriter } = await import('#server/domain/payouts/pack/merkle/encode-leaf.ts')
  const { buildStandardTree, rootOf } = await import('#server/domain/payouts/pack/merkle/standard-tree.ts')
  const wallets = Buffer.alloc(recipients * 20)
  const amounts = Buffer.alloc(recipients * 32)
  for (let index = 0; index < recipients; index += 1) {
    const bytes = recipient(index)
    bytes.copy(wallets, index * 20, 0, 20)
    bytes.copy(amounts, index * 32 + 20, 20, 32)
  }
  const startedAt = performance.now()
  const keccak = await loadKeccak()
  const writeLeaf = leafWriter(keccak, 'standard', [
    { type: 'address', bytes: wallets },
    { type: 'uint256', bytes: amounts },
  ])
  const root = rootOf(buildStandardTree(keccak, recipients, writeLeaf))
  return { root, seconds: (performance.now() - startedAt) / 1000 }
}

async function theirs(recipients: number) {
  const { StandardMerkleTree } = await import('@openzeppelin/merkle-tree')
  const values = Array.from({ length: recipients }, (_, index) => {
    const digits = recipient(index).toString('hex')
    return [`0x${digits.slice(0, 40)}`, BigInt(`0x${digits.slice(40)}`).toString()]
  })
  const startedAt = performance.now()
  const { root } = StandardMerkleTree.of(values, ['address', 'uint256'])
  return { root, seconds: (performance.now() - startedAt) / 1000 }
}
