import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type Options, type Report, type Row, SEED, shortNumber } from '../report.ts'

const MILLION = 1_000_000
/** How many both trees have by default. With a million, OpenZeppelin's library takes minutes and 2 GB. */
const COMPARED_RECIPIENTS = 100_000
const MARKS = { seconds: { atMost: 8 }, 'peak MB': { atMost: 256 } }

/**
 * Builds the Merkle tree of a payout with OpenZeppelin's library and with ours, and ours also for a million
 * recipients. Takes about 30 s. With `--recipients 1000000`, takes about three minutes.
 */
export async function merkle({ quick, recipients }: Options): Promise<Report> {
  const count = recipients ?? (quick ? COMPARED_RECIPIENTS / 10 : COMPARED_RECIPIENTS)
  const theirs = await build('theirs', count)
  const ours = await build('ours', count)
  if (ours.root !== theirs.root) throw new Error(`Our root is ${ours.root}, theirs ${theirs.root}`)
  const large = count === MILLION || quick ? [] : [rowOf(MILLION, await build('ours', MILLION))]
  return {
    title: 'Merkle tree of a payout, (address, uint256)',
    rows: [
      {
        tree: `@openzeppelin/merkle-tree, ${shortNumber(count)}`,
        seconds: theirs.seconds,
        'peak MB': theirs.peakMb,
      },
      { ...rowOf(count, ours), 'times as fast': theirs.seconds / ours.seconds },
      ...large,
    ],
    notes: [
      `Both roots of ${count.toLocaleString('en')} recipients: ${ours.root}`,
      'Peak MB is the resident memory of the whole process with its input: addresses and amounts as text for OpenZeppelin’s library, as bytes for ours.',
    ],
  }
}

/** Only a million recipients have marks. */
function rowOf(count: number, { seconds, peakMb }: Built): Row {
  const cell = (name: keyof typeof MARKS, value: number) =>
    count === MILLION ? { value, mark: MARKS[name] } : value
  return {
    tree: `ours, ${shortNumber(count)}`,
    seconds: cell('seconds', seconds),
    'peak MB': cell('peak MB', peakMb),
  }
}

type Built = { seconds: number; peakMb: number; root: string }

/** Builds one tree in a separate process, to measure its peak of memory. */
async function build(variant: 'ours' | 'theirs', recipients: number): Promise<Built> {
  const child = fork(import.meta.filename, [variant, String(recipients)])
  let built: Built | undefined
  child.once('message', (message) => void (built = message as Built))
  await once(child, 'exit')
  if (!built) throw new Error(`Building ${variant} failed`)
  return built
}

/** Runs in the process that {@link build} forks. The time does not include making the input. */
if (import.meta.main) {
  const [variant, count = '0'] = process.argv.slice(2)
  const built = await (variant === 'ours' ? buildOurs : buildTheirs)(Number(count))
  process.send?.({ ...built, peakMb: process.resourceUsage().maxRSS / 1024 } satisfies Built)
}

/** @returns 32 bytes: a wallet (20) and an amount (12). */
function recipient(index: number): Buffer {
  return createHash('sha256').update(`${SEED} ${index}`).digest()
}

async function buildOurs(recipients: number) {
  const { createLeafWriter, loadKeccak } = await import('#server/domain/payouts/pack/merkle/nodes.ts')
  const { buildStandardTree, rootOf } = await import('#server/domain/payouts/pack/merkle/standard-tree.ts')
  const wallets = Buffer.alloc(recipients * 20)
  const amounts = Buffer.alloc(recipients * 32)
  for (let index = 0; index < recipients; index += 1) {
    const bytes = recipient(index)
    bytes.copy(wallets, index * 20, 0, 20)
    // The 12 bytes of the amount are the last ones of a uint256.
    bytes.copy(amounts, index * 32 + 20, 20, 32)
  }
  const startedAt = performance.now()
  const keccak = await loadKeccak()
  const writeLeaf = createLeafWriter(keccak, 'standard', [
    { type: 'address', bytes: wallets },
    { type: 'uint256', bytes: amounts },
  ])
  const root = rootOf(buildStandardTree(keccak, recipients, writeLeaf))
  return { root, seconds: (performance.now() - startedAt) / 1000 }
}

async function buildTheirs(recipients: number) {
  const { StandardMerkleTree } = await import('@openzeppelin/merkle-tree')
  const values = Array.from({ length: recipients }, (_, index) => {
    const digits = recipient(index).toString('hex')
    return [`0x${digits.slice(0, 40)}`, BigInt(`0x${digits.slice(40)}`).toString()]
  })
  const startedAt = performance.now()
  const { root } = StandardMerkleTree.of(values, ['address', 'uint256'])
  return { root, seconds: (performance.now() - startedAt) / 1000 }
}
