import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { type Build, runWorker } from './run-worker.ts'
import type { AllocationTree, PackFacts, PackOptions, PayoutRows, SitePage } from './types.ts'

/** @throws RowError for the first row that is not as `PayoutRow` says; Error if there is no row. */
export async function buildAllocation(rows: PayoutRows, options?: PackOptions): Promise<AllocationTree> {
  const tree = await runWorker({ kind: 'tree' }, rows, options).outcome
  if (!tree) throw new Error('The worker thread sent no tree.')
  return tree
}

export class FolderNotEmpty extends Error {
  override name = 'FolderNotEmpty'
  readonly folder: string

  constructor(folder: string) {
    super(`${folder} is not empty.`)
    this.folder = folder
  }
}

/**
 * Writes the pack (an allocation as files for payment tools) into a folder, which appears only when it is
 * complete. An interrupted export may leave a folder beside it, named `….partial-` and six characters.
 * @throws FolderNotEmpty; Error if the rows have another root than the facts.
 */
export function exportPack(
  rows: PayoutRows,
  facts: PackFacts,
  folder: string,
  options?: PackOptions,
): Promise<void> {
  return buildFolder(folder, (draft) => ({ kind: 'folder', facts, folder: draft }), rows, options)
}

/** A folder to write into, and the page from `readAllocationSite`. */
export type SiteTarget = { folder: string; page: SitePage }

/** Writes the static site of the public check, like {@link exportPack}. */
export function exportSite(
  rows: PayoutRows,
  facts: PackFacts,
  { folder, page }: SiteTarget,
  options?: PackOptions,
): Promise<void> {
  return buildFolder(folder, (draft) => ({ kind: 'site', facts, folder: draft, page }), rows, options)
}

/**
 * The pack as a ZIP archive. If building fails, the stream is destroyed with the error. Destroying the stream
 * ends the worker. A pack of more than 4 GiB (about 2.8 million recipients) fails with an explanation.
 */
export function streamPack(rows: PayoutRows, facts: PackFacts, options?: PackOptions): Readable {
  const closing = new AbortController()
  const signal = options?.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal
  const stream = new Readable({
    read() {
      run.askForPiece()
    },
    destroy(error, done) {
      closing.abort(error ?? new Error('The download was closed.'))
      done(error)
    },
  })
  const onPiece = (piece: Uint8Array) => stream.push(piece)
  const run = runWorker({ kind: 'zip', facts }, rows, { ...options, signal, onPiece })
  run.outcome.then(
    () => stream.push(null),
    (error: Error) => stream.destroy(error),
  )
  return stream
}

/** Builds into a folder beside the target and renames it at the end. */
async function buildFolder(
  target: string,
  buildIn: (draft: string) => Build,
  rows: PayoutRows,
  options?: PackOptions,
): Promise<void> {
  const folder = path.resolve(target)
  await refuseNonEmpty(folder)
  await mkdir(path.dirname(folder), { recursive: true })
  const draft = await mkdtemp(`${folder}.partial-`)
  try {
    await chmod(draft, 0o755) // `mkdtemp` makes it private.
    await runWorker(buildIn(draft), rows, options).outcome
    await options?.onWritten?.()
    // Replaces an empty folder, and fails if something was put into it meanwhile.
    await rename(draft, folder).catch((error: unknown) => {
      throw isNotEmptyError(error) ? new FolderNotEmpty(folder) : error
    })
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

async function refuseNonEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length > 0) throw new FolderNotEmpty(folder)
}

const isNotEmptyError = (error: unknown) =>
  ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
