import type { Block } from '#contract/token-proofs/proof.ts'
import { forChain, type Rpc, type RpcFailure } from '#contract/token-proofs/rpc.ts'
import type { Deps } from '#server/deps.ts'
import { blockCall, resultOf, toBlock, toNumber } from '#server/domain/chain/rpc-values.ts'
import { record } from '#server/domain/journal/record.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { refuse } from '#server/platform/refusal.ts'
import { type LiveFreeze, requireFreeze } from '../live-freeze.ts'
import { readAddress } from '../read-allocation.ts'
import { type Report, runAlone, type RunOptions } from '../runs.ts'
import { hasPayments } from '../payment-status.ts'
import { recordPayments } from './record-payments.ts'
import { type PaidTokens, readNamedTransactions, readTransfers } from './transfers.ts'

/** Blocks that must follow a payment before it counts: two epochs, after which PulseChain drops no block. */
export const CONFIRMATIONS = 64

/** Blocks per request. Later requests cover up to `max`, or fewer if the node refuses. */
const RANGE_BLOCKS = { first: 2_000, max: 10_000 }

/** How far the clocks of chain and database may differ. */
const CLOCK_MARGIN_SECONDS = 600

export type ReconcileOptions = RunOptions & {
  /** The account, Safe or distributor contract that pays. */
  payer: string
  /** By default, continues after the blocks read so far, or begins at the freeze. */
  fromBlock?: number | undefined
  /** Transactions of the payer that paid the coin itself. */
  transactions: readonly string[]
}

/** `to` is the last block that was read. */
type ReconcileOutcome = { payments: number; from: number; to: number }

/**
 * Reads what a payer has transferred to the wallets of the frozen allocation, and records it range by range,
 * so that the next run continues where an interrupted one stopped. No run records a payment again.
 * @param anyChainRpc calls to a node, whose answers count only if it is on the chain of the freeze. (An
 * archived campaign may be on another chain than the current campaign.)
 * @throws refusals `payout_not_frozen`, `payout_busy`, `invalid_input`; `chain_unreadable`, and
 * `chain_changed` if the chain was reorganized deeper than {@link CONFIRMATIONS}.
 */
export async function reconcile(
  deps: Pick<Deps, 'db' | 'campaign'>,
  anyChainRpc: Rpc,
  { onProgress, ...options }: ReconcileOptions,
): Promise<ReconcileOutcome> {
  const payer = readAddress('payer', options.payer)
  const live = await requireFreeze(deps)
  const rpc = forChain(anyChainRpc, live.terms.chain.id)
  const run = { task: 'reconcile', actor: options.actor, onProgress } as const
  return runAlone(deps, run, async (report) => {
    const lastConfirmed = await readLastConfirmed(rpc)
    const context = { db: deps.db, rpc, live, payer, lastConfirmed, report, signal: options.signal }
    const journal = (after: Recorded) =>
      inTransaction(deps.db, (tx) =>
        record(tx, {
          actor: options.actor,
          action: 'payout.reconciled',
          subject: live.id,
          after,
          network: options.network,
          details: { payer },
        }),
      )
    const recorded: Recorded = { payments: 0, from: null, to: null }
    const outcome = await recordAll(context, options, recorded).catch(async (error: unknown) => {
      // Journaled now, because the next run does not count what this one has recorded. If journaling fails too,
      // the error of the run matters more.
      if (recorded.payments > 0) await journal(recorded).catch(() => {})
      throw error
    })
    await journal(outcome)
    return outcome
  })
}

type ReconcileContext = {
  db: Database
  rpc: Rpc
  /** The freeze that has not been undone. */
  live: LiveFreeze
  payer: string
  /** The last block that counts: enough others follow it. */
  lastConfirmed: number
  report: Report
  signal: AbortSignal | undefined
}

/** @returns -1 on a chain that is too short. */
async function readLastConfirmed(rpc: Rpc): Promise<number> {
  const [reply] = await rpc([{ method: 'eth_blockNumber', params: [] }])
  const head = toNumber(resultOf(reply))
  if (head === undefined) throw refuse('chain_unreadable')
  return Math.max(-1, head - CONFIRMATIONS)
}

/** The outcome of a run so far; `from` and `to` are null before a block has been read. */
type Recorded = { payments: number; from: number | null; to: number | null }

/** @param recorded grows with every step. */
async function recordAll(
  context: ReconcileContext,
  { transactions, fromBlock }: Omit<ReconcileOptions, 'onProgress'>,
  recorded: Recorded,
): Promise<ReconcileOutcome> {
  // First, because it depends on which payments were recorded before this run.
  const from = await resumeScan(context, fromBlock)
  if (transactions.length > 0) {
    const { db, rpc, live, payer, lastConfirmed } = context
    const named = { payer, tokens: tokensOf(live), transactions, lastConfirmed }
    const transfers = await readNamedTransactions(rpc, named)
    recorded.payments = await recordPayments(db, { live, payer, transfers })
  }
  await scan(context, from, recorded)
  // If no block has been confirmed since an earlier scan, that one ended just before `from`.
  return { payments: recorded.payments, from, to: Math.max(context.lastConfirmed, from - 1) }
}

function tokensOf({ terms: { token, coin } }: LiveFreeze): PaidTokens {
  return new Map([
    ...(coin.wrapped === null ? [] : [[coin.wrapped.toLowerCase(), 'pls'] as const]),
    [token.contract.toLowerCase(), 'pf'] as const,
  ])
}

/**
 * Chooses the first block to read. If the chain has replaced the last block that was read, begins anew.
 * @throws refusal `chain_changed` if it would begin anew without `fromBlock`, or with a payment by the payer
 * on record, which could count twice.
 */
async function resumeScan(
  { db, rpc, live, payer, lastConfirmed }: ReconcileContext,
  fromBlock: number | undefined,
): Promise<number> {
  const lastScan = await db
    .selectFrom('payout_scans')
    .select(['to_block', 'block_hash'])
    .where('freeze_id', '=', live.id)
    .where('payer', '=', payer)
    .executeTakeFirst()
  if (lastScan && (await isReplaced(rpc, lastScan, lastConfirmed))) {
    if (fromBlock === undefined || (await hasPayments(db, live.id, { payer }))) throw refuse('chain_changed')
    await db.deleteFrom('payout_scans').where('freeze_id', '=', live.id).where('payer', '=', payer).execute()
  }
  if (fromBlock !== undefined) return fromBlock
  return lastScan ? lastScan.to_block + 1 : findFirstBlockAfter(rpc, live.frozenAt, lastConfirmed)
}

type LastScan = { to_block: number; block_hash: Buffer }

async function isReplaced(rpc: Rpc, { to_block, block_hash }: LastScan, lastConfirmed: number) {
  // The chain ends before this block. A node that only lags a little has the block, with fewer than
  // CONFIRMATIONS after it.
  if (to_block > lastConfirmed + CONFIRMATIONS) return true
  const { hash } = await readBlock(rpc, to_block)
  return hash !== `0x${block_hash.toString('hex')}`
}

async function readBlock(rpc: Rpc, number: number): Promise<Block> {
  const [reply] = await rpc([blockCall(number)])
  const block = toBlock(resultOf(reply))
  if (block?.number !== number) throw refuse('chain_unreadable')
  return block
}

/** The first block that may be newer than the freeze, by a binary search over the times of blocks. */
async function findFirstBlockAfter(rpc: Rpc, frozenAt: Date, lastConfirmed: number): Promise<number> {
  const earliestSeconds = Math.floor(frozenAt.getTime() / 1_000) - CLOCK_MARGIN_SECONDS
  let low = 0
  let high = lastConfirmed + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((await readBlock(rpc, middle)).time < earliestSeconds) low = middle + 1
    else high = middle
  }
  return low
}

async function scan(context: ReconcileContext, firstBlock: number, recorded: Recorded): Promise<void> {
  const { db, rpc, live, payer, lastConfirmed, report, signal } = context
  const total = Math.max(0, lastConfirmed - firstBlock + 1)
  let size = RANGE_BLOCKS.first
  for (let from = firstBlock; from <= lastConfirmed;) {
    signal?.throwIfAborted()
    const to = Math.min(from + size - 1, lastConfirmed)
    report({ step: 'blocks', done: from - firstBlock, total })
    const result = await readTransfers(rpc, { tokens: tokensOf(live), payer, range: { from, to } })
    if ('failure' in result) {
      if (from === to || !mayBeTooLarge(result.failure)) throw refuse('chain_unreadable')
      size = Math.max(1, Math.floor((to - from + 1) / 4))
      continue
    }
    const { transfers, last } = result
    // This run has read everything from its first block to the last one of this range.
    const scanned = { from: firstBlock, last }
    recorded.payments += await recordPayments(db, { live, payer, transfers, scanned })
    recorded.from = firstBlock
    recorded.to = to
    from = to + 1
    size = Math.min(size * 2, RANGE_BLOCKS.max)
  }
  report({ step: 'blocks', done: total, total })
}

/** Nodes limit blocks, entries, bytes or time, and say so in many ways, or not at all. */
const mayBeTooLarge = ({ kind }: RpcFailure) =>
  kind === 'error' || kind === 'too_large' || kind === 'status' || kind === 'unreachable'
