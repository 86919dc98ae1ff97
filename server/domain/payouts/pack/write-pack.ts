import { packFiles, type PackSource } from './pack-files.ts'
import type { Build } from './run-worker.ts'
import { siteFiles } from './site/site-files.ts'
import type { PackProgress } from './types.ts'
import { folderSink, writeFiles, zipSink } from './write-files.ts'

type Outlets = {
  /** Takes the next piece of an archive. */
  sendPiece: (piece: Uint8Array) => Promise<void>
  onProgress: (progress: PackProgress) => void
}

/** Writes a pack (files for payment tools) or the static site into a folder or as an archive. */
export function writePack(
  source: PackSource,
  build: Exclude<Build, { kind: 'tree' }>,
  { sendPiece, onProgress }: Outlets,
): Promise<void> {
  const files = [...(build.kind === 'site' ? siteFiles(source, build.page) : packFiles(source))]
  // A site has a file for every few recipients: waiting for the disk after each would take long.
  const sink =
    build.kind === 'zip'
      ? zipSink(sendPiece, new Date(source.facts.frozenAt))
      : folderSink(build.folder, build.kind === 'site' ? 'buffered' : 'durable')
  let done = 0
  // Called before each file.
  return writeFiles(files, sink, (file) => {
    onProgress({ step: 'files', done, total: files.length, file })
    done += 1
  })
}
