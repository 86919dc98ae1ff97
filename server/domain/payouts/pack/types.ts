import type { Asset, Drift } from '#contract/allocation.ts'
import type { Terms } from '../terms.ts'

/**
 * What one wallet receives: base units of the token (`pf`), of the coin (`pls`) or of both. An allocation has
 * one row per wallet, sorted by the wallets' bytes, just as lower-case addresses sort.
 */
export type PayoutRow = {
  /** With its EIP-55 checksum. */
  wallet: string
  pf: bigint
  pls: bigint
}
export type PayoutRows = Iterable<PayoutRow> | AsyncIterable<PayoutRow>

/** What is known of a frozen allocation besides its rows; everything except `drift.named` is published. */
export type PackFacts = {
  /** The root of the rows' Merkle tree: `0x` and 64 digits. Nothing is built from rows with another root. */
  root: string
  campaign: Terms['campaign']
  /** ISO 8601, UTC. */
  frozenAt: string
  chain: Pick<Terms['chain'], 'id' | 'name'>
  token: Terms['token']
  coin: Terms['coin']
  /** Recipients with code at the freeze: some contracts cannot pass on what they receive. */
  contracts: readonly string[]
  /** How many participants changed since the freeze, and some wallets, which only the operator sees. */
  drift: { counts: Record<Drift, number>; named: readonly { wallet: string | null; drift: Drift }[] }
}

/** What the static site has besides its shards and the pack. */
export type SitePage = {
  /** The page, with `SHARDS_PLACE` where the shards' map belongs. */
  html: string
  /** The folder with its script, style sheet and fonts. */
  assets: string
}

export type PackProgress =
  /** Rows are read; their number is known only at the end. */
  | { step: 'rows'; done: number; total: null }
  | { step: 'tree'; done: number; total: number }
  /** Files are written; the next one is `file`. */
  | { step: 'files'; done: number; total: number; file: string }

/** `signal` ends the worker thread that builds; the build then rejects with the signal's reason. */
export type PackOptions = {
  signal?: AbortSignal | undefined
  /** Called when a folder is complete, but not yet in its place. If it rejects, the folder is removed. */
  onWritten?: (() => Promise<void>) | undefined
  onProgress?: ((progress: PackProgress) => void) | undefined
}

/** OpenZeppelin's `standard-v1` over `["address","uint256","uint256"]`: wallet, PF and PLS. */
export type AllocationTree = {
  /** `0x` and 64 digits. */
  root: string
  recipients: number
  totals: Record<Asset, bigint>
  /** Nodes of 32 bytes in OpenZeppelin's order: the root first, the leaves last. */
  nodes: Uint8Array
  /** For each row, the place of its leaf in `nodes`. */
  leafAt: Uint32Array
}
