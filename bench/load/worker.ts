import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { Load, LoadResult } from './load.ts'
import { createRecorder } from './recorder.ts'
import { responseReader } from './read-responses.ts'

type Connection = {
  socket: Socket
  isOpen: boolean
  /** The request that waits for its answer; undefined if the connection is free. */
  pending: Pending | undefined
}

/** Times are from `performance.now()`. */
type Pending = {
  request: Buffer
  dueAt: number
  /** When it could be sent again after its last refusal. */
  retriedAt?: number
}

// This thread posts 'ready' when each connection is open or has failed, and at the end the result.
const load = workerData as Load
const requests = load.requests.map((request) => Buffer.from(request))
const timeoutMs = (load.timeoutSeconds ?? 10) * 1_000
const recorder = createRecorder()
const connections = new Set<Connection>()
const free: Connection[] = []
/** Refused requests whose Retry-After has passed. */
const toRetry: Pending[] = []

let startedAt = 0
let countingSince = Number.POSITIVE_INFINITY
let cpuMsBefore = 0
let sentCount = 0
/** Requests that were answered or have failed, except those to be sent again. */
let completedCount = 0
/** In an open loop: requests due so far. */
let dueCount = 0
let hasEnded = false

await Promise.all(Array.from({ length: load.connections }, () => openConnection()))
parentPort?.postMessage('ready')
parentPort?.once('message', finish)
begin()

function begin() {
  startedAt = performance.now()
  // Without a warm-up, the first answer counts.
  if (load.warmUpSeconds === undefined) startCounting()
  else setTimeout(startCounting, load.warmUpSeconds * 1_000)
  setInterval(abandonLateRequests, 250)
  if (load.rate === undefined) for (const connection of free.splice(0)) release(connection)
  else setInterval(sendDue, 1)
}

function startCounting() {
  countingSince = performance.now()
  cpuMsBefore = cpuMs()
  if (load.seconds !== undefined) setTimeout(finish, load.seconds * 1_000)
}

/** Resolves when the connection is open or has failed. After it closes, another connection replaces it. */
function openConnection(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
    const connection: Connection = { socket, isOpen: false, pending: undefined }
    connections.add(connection)
    socket.on(
      'data',
      responseReader(({ status, closesConnection, retryAfterSeconds }) => {
        complete(connection, status, retryAfterSeconds)
        if (closesConnection) socket.destroy()
        else release(connection)
      }),
    )
    socket.once('connect', () => {
      connection.isOpen = true
      resolve()
      release(connection)
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      connections.delete(connection)
      if (!connection.isOpen) recorder.countFailure('refused')
      else if (connection.pending) complete(connection, 'disconnected')
      // A server that refuses connections is not asked again at once.
      const reopenAfterMs = connection.isOpen ? 0 : 100
      connection.isOpen = false
      resolve()
      if (!hasEnded) setTimeout(() => void openConnection(), reopenAfterMs)
    })
  })
}

/** Gives a free connection its next request, or adds it to the free connections. */
function release(connection: Connection) {
  if (!connection.isOpen) return
  if (startedAt === 0) free.push(connection) // `begin` takes it from there.
  else if (load.rate === undefined) sendNext(connection, performance.now())
  else if (sentCount < dueCount) sendNext(connection, dueTime(sentCount))
  else free.push(connection)
}

function dueTime(index: number): number {
  return startedAt + (index * 1_000) / (load.rate ?? 1) // called only with a rate
}

function sendDue() {
  dueCount = Math.floor(((performance.now() - startedAt) * (load.rate ?? 1)) / 1_000)
  if (load.once) dueCount = Math.min(dueCount, requests.length)
  while (sentCount < dueCount) {
    // Takes turns, because the server closes connections that send nothing in their first ten seconds.
    const connection = free.shift()
    if (!connection) return
    if (connection.isOpen) sendNext(connection, dueTime(sentCount))
  }
}

function sendNext(connection: Connection, dueAt: number) {
  if (hasEnded) return
  connection.pending = toRetry.shift()
  const request = requests[sentCount % requests.length]
  const areAllSent = load.once && sentCount >= requests.length
  if (!connection.pending && request && !areAllSent) {
    connection.pending = { request, dueAt }
    sentCount += 1
  }
  if (connection.pending) connection.socket.write(connection.pending.request)
  else free.push(connection)
}

/** The status of an answer, or why there is no answer. */
type Outcome = number | 'disconnected' | 'timeout'

function complete(connection: Connection, outcome: Outcome, retryAfterSeconds?: number) {
  const { pending } = connection
  if (!pending || hasEnded) return
  connection.pending = undefined
  const now = performance.now()
  if (now >= countingSince) {
    if (typeof outcome === 'number') recorder.countAnswer(String(outcome), now - pending.dueAt)
    else recorder.countFailure(outcome)
  }
  if (load.retries && retryAfterSeconds !== undefined) {
    setTimeout(retry, retryAfterSeconds * 1_000, pending)
    return
  }
  completedCount += 1
  if (load.once && completedCount === requests.length) finish()
}

function retry(refused: Pending) {
  const now = performance.now()
  toRetry.push({ ...refused, retriedAt: now })
  for (let connection = free.pop(); connection; connection = free.pop())
    if (connection.isOpen) return sendNext(connection, now)
}

function abandonLateRequests() {
  const lateBefore = performance.now() - timeoutMs
  for (const connection of connections) {
    const { pending } = connection
    if (!pending || (pending.retriedAt ?? pending.dueAt) >= lateBefore) continue
    complete(connection, 'timeout')
    connection.socket.destroy()
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function finish() {
  if (hasEnded) return
  hasEnded = true
  const ms = Math.max(1, performance.now() - countingSince)
  const result: LoadResult = {
    ...recorder.summarize(ms / 1_000),
    unsent: load.rate === undefined ? 0 : Math.max(0, dueCount - sentCount),
    generatorBusy: (cpuMs() - cpuMsBefore) / ms,
  }
  parentPort?.postMessage(result)
  process.exit()
}
