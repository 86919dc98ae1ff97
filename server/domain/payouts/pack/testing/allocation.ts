import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { type Asset, LEAF_ENCODING } from '#contract/allocation.ts'
import { toChecksum } from '#server/platform/eip55.ts'
import { readAllocationSite } from '#server/site/built/built-assets.ts'
import { exportSite } from '../build-pack.ts'
import type { PackFacts, PayoutRow } from '../types.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** Rows like those of an allocation, the same for the same arguments. Some have only one of the amounts. */
export function payoutRows(count: number, from = 0): PayoutRow[] {
  return Array.from({ length: count }, (_, index): PayoutRow => {
    const seed = digest(`wallet ${from + index}`)
    const amount = BigInt(`0x${seed.slice(40, 58)}`) + 1n
    return {
      wallet: `0x${seed.slice(0, 40)}`,
      pf: index % 7 === 1 ? 0n : amount,
      pls: index % 7 === 2 ? 0n : amount / 3n + 1n,
    }
  })
    .toSorted((a, b) => (a.wallet < b.wallet ? -1 : 1))
    .map((row) => ({ ...row, wallet: toChecksum(row.wallet) }))
}

/** The facts of a pack with these rows, with the root that OpenZeppelin computes. */
export const packFacts = (rows: readonly PayoutRow[]): PackFacts => ({
  root: StandardMerkleTree.of(
    rows.map(({ wallet, pf, pls }) => [wallet, pf, pls]),
    [...LEAF_ENCODING],
  ).root,
  campaign: { id: 'pocket-future', name: 'Pocket Future' },
  frozenAt: '2027-01-31T12:00:00.000Z',
  chain: { id: 369, name: 'PulseChain' },
  token: { symbol: 'PF', decimals: 6, contract: toChecksum(`0x${'1a'.repeat(20)}`) },
  coin: { symbol: 'PLS', decimals: 18, wrapped: toChecksum('0xa1077a294dde1b09bb078844df40758a5d0f9a27') },
  contracts: [],
  drift: { counts: { undone: 0, changed: 0, added: 0, banned: 0, unbanned: 0 }, named: [] },
})

/** Writes the static site of an allocation into a folder. @returns the root. */
export async function exportSiteOf(rows: readonly PayoutRow[], folder: string): Promise<string> {
  const facts = packFacts(rows)
  const { root, campaign, frozenAt, token, coin } = facts
  const totalOf = (asset: Asset) => String(rows.reduce((sum, row) => sum + row[asset], 0n))
  const totals = { pf: totalOf('pf'), pls: totalOf('pls') }
  const drift = facts.drift.counts
  const summary = { root, recipients: rows.length, totals, frozenAt, chainId: 369, token, coin, drift }
  await exportSite(rows, facts, { folder, page: await readAllocationSite(campaign.name, summary) })
  return root
}

/** Paths relative to the folder, also of files in folders inside it. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((file) => path.relative(folder, path.join(file.parentPath, file.name)))
}
