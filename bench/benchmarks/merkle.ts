import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Built } from './merkle-variant.ts'
import { type Options, type Report, type Row, shortNumber } from '../report.ts'

const MILLION = 1_000_000
/** At a million OpenZeppelin's library takes minutes and 2 GB. */
const COMPARED = 100_000
const MARKS = { seconds: { atMost: 8 }, 'peak MB': { atMost: 256 } }

/**
 * Builds the Merkle tree of a payout with OpenZeppelin's library and with ours, each in a process of its own, and ours
 * for a million recipients. Takes about 30 s; with `--recipients 1000000` about three minutes.
 */
export async function merkle({ quick, recipients }: Options): Promise<Report> {
  const count = recipients ?? (quick ? COMPARED / 10 : COMPARED)
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
      'Peak MB is the resident memory of the whole process with its input: addresses and amounts as text there, as bytes here.',
    ],
  }
}

/** Marked at a million. */
function rowOf(count: number, { seconds, peakMb }: Built): Row {
  const cell = (name: keyof typeof MARKS, value: number) =>
    count === MILLION ? { value, mark: MARKS[name] } : value
  return {
    tree: `ours, ${shortNumber(count)}`,
    seconds: cell('seconds', seconds),
    'peak MB': cell('peak MB', peakMb),
  }
}

async function build(variant: 'ours' | 'theirs', recipients: number): Promise<Built> {
  const child = fork(path.join(import.meta.dirname, 'merkle-variant.ts'), [variant, String(recipients)])
  let built: Built | undefined
  child.on('message', (message) => (built = message as Built))
  await once(child, 'exit')
  if (!built) throw new Error(`Building ${variant} failed`)
  return built
}
