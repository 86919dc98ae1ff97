import { on } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createLeafWriter, loadKeccak } from './merkle/nodes.ts'
import { buildStandardTree, rootOf } from './merkle/standard-tree.ts'
import { RowError, RowTable } from './row-table.ts'
import type { Build, FromWorker, ToWorker } from './run-worker.ts'

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
  // Loaded only now: a freeze needs just the tree, and this takes longer than starting the thread.
  const { writePack } = await import('./write-pack.ts')
  await writePack({ keccak, table, tree, facts, onHashed }, build, {
    sendPiece,
    onProgress: (progress) => post({ progress }),
  })
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

/** Waits until a piece is asked for. After the rows, every message asks for one. */
async function sendPiece(piece: Uint8Array): Promise<void> {
  if (pendingRequests > 0) pendingRequests -= 1
  else await nextMessage()
  post({ piece })
}
