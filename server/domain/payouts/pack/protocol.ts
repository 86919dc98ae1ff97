import type { AllocationTree, PackFacts, PackProgress, PayoutRow } from './types.ts'

/** What the worker thread builds. */
export type Task =
  | { kind: 'tree' }
  | { kind: 'folder'; facts: PackFacts; folder: string }
  | { kind: 'zip'; facts: PackFacts }
  | { kind: 'site'; facts: PackFacts; folder: string; page: SitePage }

/** What of the static site does not depend on the shards. */
export type SitePage = {
  /** The page, with `SHARDS_PLACE` where the shards' map belongs. */
  html: string
  /** The folder with its script, style sheet and fonts. */
  assets: string
}

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
