import { Worker } from 'node:worker_threads'
import { fromRoot } from '#server/platform/root.ts'
import { RowError } from './row-table.ts'
import type {
  AllocationTree,
  PackFacts,
  PackOptions,
  PackProgress,
  PayoutRow,
  PayoutRows,
  SitePage,
} from './types.ts'

export type Build =
  | { kind: 'tree' }
  | { kind: 'folder'; facts: PackFacts; folder: string }
  | { kind: 'zip'; facts: PackFacts }
  | { kind: 'site'; facts: PackFacts; folder: string; page: SitePage }

export type ToWorker =
  | { rows: readonly PayoutRow[] }
  | { end: true }
  /** Asks for the next piece of the archive. */
  | { nextPiece: true }

export type FromWorker =
  /** The rows have been added: send the next ones. */
  | { taken: true }
  | { progress: PackProgress }
  | { piece: Uint8Array }
  /** The tree, if the build was one of kind `tree`. */
  | { done: AllocationTree | null }
  /** `row` is the number of the row at fault, `code` the system's error code, such as `ENOSPC`. */
  | { failed: { message: string; row?: number; code?: string } }

const ROWS_PER_BATCH = 1000

type RunningBuild = {
  /** The tree; null for any other build. Rejects with a `RowError`, the signal's reason or another error. */
  outcome: Promise<AllocationTree | null>
  askForPiece: () => void
}

/** Starts a worker, gives it the rows batch by batch, and ends it in every case. */
export function runWorker(
  build: Build,
  rows: PayoutRows,
  { signal, onProgress, onPiece }: PackOptions & { onPiece?: (piece: Uint8Array) => void } = {},
): RunningBuild {
  signal?.throwIfAborted()
  const worker = new Worker(fromRoot('server/domain/payouts/pack/pack-worker.ts'), { workerData: build })
  const post = (message: ToWorker) => worker.postMessage(message)
  const finished = Promise.withResolvers<AllocationTree | null>()
  const fail = (error: unknown) => finished.reject(error)
  const abort = () => fail(signal?.reason)
  let onTaken = () => {}
  worker.on('message', (message: FromWorker) => {
    if ('progress' in message) onProgress?.(message.progress)
    else if ('taken' in message) onTaken()
    else if ('piece' in message) onPiece?.(message.piece)
    else if ('done' in message) finished.resolve(message.done)
    else fail(errorOf(message.failed))
  })
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error('The worker thread ended early.')))
  signal?.addEventListener('abort', abort, { once: true })

  async function feed() {
    for await (const batch of batchesOf(rows)) {
      const taken = Promise.withResolvers<void>()
      onTaken = taken.resolve
      post({ rows: batch })
      // A failure also ends the loop, which closes the generator of the rows.
      await Promise.race([taken.promise, finished.promise])
    }
    post({ end: true })
  }

  async function conclude() {
    try {
      feed().catch(fail)
      return await finished.promise
    } finally {
      signal?.removeEventListener('abort', abort)
      await worker.terminate()
    }
  }
  return { outcome: conclude(), askForPiece: () => post({ nextPiece: true }) }
}

function errorOf({ message, row, code }: Extract<FromWorker, { failed: unknown }>['failed']): Error {
  if (row !== undefined) return new RowError(row, message)
  return Object.assign(new Error(message), code !== undefined && { code })
}

async function* batchesOf(rows: PayoutRows): AsyncGenerator<PayoutRow[]> {
  let batch: PayoutRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < ROWS_PER_BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
