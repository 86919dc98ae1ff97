import type { Readable } from 'node:stream'

/** The two things that a campaign pays: PF is the token, PLS the chain's native coin. */
export const ASSETS = ['pf', 'pls'] as const
export type Asset = (typeof ASSETS)[number]

/**
 * What one wallet receives, in base units. An allocation's rows are in ascending order of the wallets' bytes (that of
 * the lower-case address), each wallet once, and no row is without an amount.
 */
export type PayoutRow = {
  /** With its EIP-55 checksum. */
  wallet: string
  pf: bigint
  pls: bigint
}
export type PayoutRows = Iterable<PayoutRow> | AsyncIterable<PayoutRow>

/** What is known of a frozen allocation besides its rows; all of it is published. */
export type PackFacts = {
  campaign: { id: string; name: string }
  /** ISO 8601, UTC. */
  frozenAt: string
  chain: { id: number; name: string }
  token: { symbol: string; decimals: number; contract: string }
  /** `wrapped` is the coin as a token, for tools that only pay tokens; null where none is known. */
  coin: { symbol: string; decimals: number; wrapped: string | null }
  /** Recipients with code at the freeze: some contracts cannot pass on what they receive. */
  contracts: readonly string[]
}

/** A step of building, how much of it is done, and how much there is; both in rows or nodes. */
export type PackProgress = {
  step: 'rows' | 'tree' | 'files' | 'shards'
  /** The file that is being written. */
  file?: string
  done: number
  of: number
}

/** Builds in a worker thread, which `signal` ends; it then rejects with the signal's reason. */
export type PackOptions = {
  signal?: AbortSignal
  onProgress?: (progress: PackProgress) => void
}

/**
 * The public tree of an allocation: OpenZeppelin's `standard-v1` over `["address","uint256","uint256"]`, as wallet,
 * PF and PLS.
 */
export type AllocationTree = {
  /** `0x` and 64 digits. */
  root: string
  recipients: number
  totals: Record<Asset, bigint>
  /** Nodes of 32 bytes in OpenZeppelin's order: the root first, the leaves last. */
  nodes: Uint8Array
  /** By row: which node is its leaf. */
  leafAt: Uint32Array
}

/** Builds the public tree of rows. @throws {@link RowError} of the first row that is not as {@link PayoutRow} says. */
export type BuildAllocation = (rows: PayoutRows, options?: PackOptions) => Promise<AllocationTree>

/**
 * Writes the pack into a new folder, or the static site. The folder appears when it is complete: what is interrupted
 * leaves nothing behind. @throws if it exists and is not empty.
 */
export type WriteFolder = (
  rows: PayoutRows,
  facts: PackFacts,
  folder: string,
  options?: PackOptions,
) => Promise<void>

/** The pack as a ZIP archive; the stream is destroyed with the error when building fails, and ends the worker if closed. */
export type StreamPack = (rows: PayoutRows, facts: PackFacts, options?: PackOptions) => Readable
