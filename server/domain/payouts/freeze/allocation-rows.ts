import { ASSETS } from '#contract/allocation.ts'
import type { LeftOutReason } from '#contract/dashboard/payouts.ts'
import { canReceive } from '#server/domain/claims/submission/validate-proof.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { toChecksum } from '#server/platform/eip55.ts'
import { refuse } from '#server/platform/refusal.ts'
import { UINT256_END } from '../pack/row-table.ts'
import type { PayoutRow } from '../pack/types.ts'
import type { Terms } from '../terms.ts'
import {
  type AssetAmounts,
  createPayableCalculator,
  type FreezeTotals,
  type Group,
  groupByWallet,
  type Payable,
  POINT_KINDS,
  type Points,
} from './allocate.ts'
import { readHolders, readNonHolders, type NonHolder } from './read-holders.ts'
import { type Batch, emptyBatch, storeBatch } from './store-rows.ts'

/** How many wallets are stored at once, and how many participants without a payable claim. */
const STORE_SIZE = 2_000

type AllocationInputs = {
  freezeId: string
  terms: Terms
  /** Totals that grow with everything that is stored. */
  sums: FreezeTotals
  /** Aborted when the transactions end: then nothing more is read or stored. */
  ended: AbortSignal
  onStored: (walletCount: number) => void
}

/**
 * Reads everyone with points from a snapshot, stores in `tx` what each wallet gets and what is left out, and
 * yields the rows that are paid.
 * @throws refusals `wallets_shared` if the campaign file refuses wallets of several participants,
 * `amounts_too_large` if a total exceeds a uint256, and `nothing_to_pay` if every amount is left out.
 */
export async function* storeAndYieldRows(
  { snapshot, tx }: { snapshot: Tx; tx: Tx },
  { freezeId, terms, sums, ended, onStored }: AllocationInputs,
): AsyncGenerator<PayoutRow> {
  const writer = createWriter(tx, { freezeId, sums, ended })
  const payableOf = createPayableCalculator(terms)
  let walletCount = 0
  let lastWallet = ''
  for await (const group of groupByWallet(readHolders(snapshot, terms.campaign.id, ended))) {
    // The trees and files rely on this order; a collation of the database might have another.
    if (group.wallet <= lastWallet) throw new Error('The wallets are not in the order of their bytes.')
    lastWallet = group.wallet
    if (group.holders.length > 1 && terms.duplicateWallets === 'refuse') throw refuse('wallets_shared')
    const row = writer.addGroup(group, payableOf(group.points), terms)
    walletCount += 1
    if (walletCount % STORE_SIZE === 0) {
      await writer.flush()
      onStored(walletCount)
    }
    if (row) yield row
  }
  for await (const nonHolder of readNonHolders(snapshot, terms.campaign.id, ended)) {
    writer.addNonHolder(nonHolder, payableOf(nonHolder.points))
    if (writer.shareCount() >= STORE_SIZE) await writer.flush()
  }
  await writer.flush()
  onStored(walletCount)
  if (sums.recipients.pf + sums.recipients.pls === 0) throw refuse('nothing_to_pay')
}

/** Collects what `flush` stores, and adds it up in `sums`. */
function createWriter(
  tx: Tx,
  { freezeId, sums, ended }: Pick<AllocationInputs, 'freezeId' | 'sums' | 'ended'>,
) {
  let batch: Batch = emptyBatch()
  let nextPosition = 0
  let nextLeftOutNumber = 0
  const leaveOut = (
    reason: LeftOutReason,
    amounts: AssetAmounts,
    owner: { wallet: string | null; userId: string | null },
  ) => {
    batch.leftOut.push({ number: nextLeftOutNumber++, reason, ...owner, ...amounts })
    const total = sums.leftOut.get(reason) ?? { pf: 0n, pls: 0n, count: 0 }
    addTo(total, amounts)
    total.count += 1
    sums.leftOut.set(reason, total)
  }
  /** Called once for each wallet or participant whose amounts are rounded, so it counts roundings, too. */
  const addPoints = (points: Points) => {
    for (const kind of POINT_KINDS) sums.points[kind] += points[kind]
    sums.roundings += 1n
  }
  return {
    shareCount: () => batch.shares.length,
    async flush() {
      ended.throwIfAborted()
      await storeBatch(tx, freezeId, batch)
      batch = emptyBatch()
    },
    /** @returns the row if anything is paid. */
    addGroup(group: Group, payable: Payable, terms: Terms): PayoutRow | undefined {
      const wallet = toChecksum(group.wallet)
      const { paid, unpaid, reason } = splitPayable(group.wallet, payable, terms)
      if (reason) leaveOut(reason, unpaid, { wallet, userId: null })
      const isPaid = paid.pf + paid.pls > 0n
      const position = isPaid ? nextPosition++ : null
      for (const { userId, claimId, points } of group.holders)
        batch.shares.push({ userId, claimId, position, points })
      addPoints(group.points)
      if (position === null) return undefined
      addTo(sums.paid, paid)
      for (const asset of ASSETS) if (paid[asset] > 0n) sums.recipients[asset] += 1
      if (group.isContract) sums.contracts += 1
      sums.sharing += group.holders.length - 1
      batch.rows.push({ position, wallet, ...paid, isContract: group.isContract })
      return { wallet, ...paid }
    },
    addNonHolder({ userId, reason, points }: NonHolder, { paid, tooLittle }: Payable) {
      leaveOut(reason, sum(paid, tooLittle), { wallet: null, userId })
      batch.shares.push({ userId, claimId: null, position: null, points })
      addPoints(points)
    },
  }
}

const NOTHING: AssetAmounts = { pf: 0n, pls: 0n }

type SplitPayable = { paid: AssetAmounts; unpaid: AssetAmounts; reason: LeftOutReason | undefined }

function splitPayable(wallet: string, { paid, tooLittle }: Payable, { token }: Terms): SplitPayable {
  const due = sum(paid, tooLittle)
  // Submitting a claim checks this too, but perhaps before the campaign file named the token's contract.
  if (!canReceive(wallet, token.contract)) return { paid: NOTHING, unpaid: due, reason: 'unusable_wallet' }
  if (due.pf + due.pls === 0n) return { paid: NOTHING, unpaid: due, reason: 'nothing_due' }
  const isBelowMinimum = tooLittle.pf + tooLittle.pls > 0n
  return { paid, unpaid: tooLittle, reason: isBelowMinimum ? 'below_minimum' : undefined }
}

function sum(a: AssetAmounts, b: AssetAmounts): AssetAmounts {
  return { pf: a.pf + b.pf, pls: a.pls + b.pls }
}

function addTo(total: AssetAmounts, amounts: AssetAmounts): void {
  total.pf += amounts.pf
  total.pls += amounts.pls
  if (total.pf >= UINT256_END || total.pls >= UINT256_END) throw refuse('amounts_too_large')
}
