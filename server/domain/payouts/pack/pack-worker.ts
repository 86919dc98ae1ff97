import { on } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createLeafWriter, loadKeccak } from './merkle/nodes.ts'
import { buildStandardTree, rootOf } from './merkle/standard-tree.ts'
import { packFiles, type PackFile, type PackSource } from './pack-files.ts'
import { RowError, RowTable } from './row-table.ts'
import type { Build, FromWorker, ToWorker } from './run-worker.ts'
import { siteFiles } from './site/site-files.ts'
import type { PackFacts } from './types.ts'
import { folderSink, type Sink, writeFiles, zipSink } from './write-files.ts'

// A worker thread: takes the rows of an allocation, then builds what it was started for.

if (!parentPort) throw new Error('This file is a worker thread.')
const port: MessagePort = parentPort
const post = (message: FromWorker) => port.postMessage(message)
const messages = on(port, 'message')
/** Requests for pieces of the archive that came before the last row. */
let pendingRequests = 0

try {
  await main(workerData as Build)
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  const { code } = error as NodeJS.ErrnoException
  post({
    failed: {
      message,
      ...(error instanceof RowError && { row: error.row }),
      ...(code !== undefined && { code }),
    },
  })
}
port.close()

async function main(build: Build): Promise<void> {
  const keccak = await loadKeccak()
  const table = new RowTable(keccak)
  await takeRows(table)
  if (table.count === 0) throw new Error('The allocation has no rows.')
  const writeLeaf = createLeafWriter(keccak, 'standard', table.columns())
  const tree = buildStandardTree(keccak, table.count, writeLeaf, onHashed)
  const root = rootOf(tree)
  if (build.kind === 'tree') {
    const { count: recipients, totals } = table
    return post({ done: { root, recipients, totals, ...tree } })
  }
  const { facts } = build
  if (facts.root !== root)
    throw new Error(`The rows have the root ${root}, but the allocation was frozen with ${facts.root}.`)
  const source: PackSource = { keccak, table, tree, facts, onHashed }
  if (build.kind === 'site')
    await write([...siteFiles(source, build.page)], folderSink(build.folder, 'buffered'))
  else
    await write(
      [...packFiles(source)],
      build.kind === 'zip' ? archiveSink(facts) : folderSink(build.folder, 'durable'),
    )
  post({ done: null })
}

async function takeRows(table: RowTable): Promise<void> {
  for (;;) {
    const message = await nextMessage()
    if ('end' in message) return
    if ('nextPiece' in message) pendingRequests += 1
    else {
      for (const row of message.rows) table.add(row)
      post({ progress: { step: 'rows', done: table.count, total: null } })
      post({ taken: true })
    }
  }
}

async function nextMessage(): Promise<ToWorker> {
  const { value } = (await messages.next()) as { value: [ToWorker] }
  return value[0]
}

function onHashed(done: number, total: number) {
  post({ progress: { step: 'tree', done, total } })
}

function write(files: readonly PackFile[], sink: Sink): Promise<void> {
  let done = 0
  return writeFiles(files, sink, (file) => {
    post({ progress: { step: 'files', done, total: files.length, file } })
    done += 1
  })
}

/** Sends one piece for each request. After the rows, every message is such a request. */
function archiveSink({ frozenAt }: PackFacts): Sink {
  return zipSink(async (piece) => {
    if (pendingRequests > 0) pendingRequests -= 1
    else await nextMessage()
    post({ piece })
  }, new Date(frozenAt))
}
