import type { AllocationTree, PackFacts, PackProgress, PayoutRow } from './types.ts'

/** What the worker thread builds. */
export type Task =
  | { kind: 'tree' }
  | { kind: 'folder'; facts: PackFacts; folder: string }
  | { kind: 'zip'; facts: PackFacts }

export type ToWorker =
  | { rows: readonly PayoutRow[] }
  /** There are no more rows. */
  | { end: true }
  /** Asks for the next piece of the archive. */
  | { more: true }

export type FromWorker =
  /** Asks for more rows. */
  | { taken: true }
  | { progress: PackProgress }
  | { piece: Uint8Array }
  | { done: AllocationTree | null }
  | { failed: { message: string; row?: number } }
