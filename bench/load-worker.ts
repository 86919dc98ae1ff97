import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** Each connection sends the request again as soon as the response has arrived. */
export type LoadOptions = { port: number; connections: number; request: string }

const { port, connections, request } = workerData as LoadOptions
const statuses: Record<string, number> = {}

for (let index = 0; index < connections; index += 1) openConnection()
parentPort?.on('message', () => {
  parentPort?.postMessage(statuses)
  process.exit(0)
})

function openConnection() {
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  let buffer = ''
  socket.setEncoding('latin1')
  socket.on('error', () => count('disconnected'))
  socket.on('close', () => setTimeout(openConnection, 100))
  socket.on('data', (chunk) => {
    buffer += String(chunk)
    const headEnd = buffer.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(buffer.slice(0, headEnd))?.[1] ?? 0)
    if (buffer.length < headEnd + 4 + length) return
    count(buffer.slice(9, 12))
    buffer = buffer.slice(headEnd + 4 + length)
    socket.write(request)
  })
}

function count(status: string) {
  statuses[status] = (statuses[status] ?? 0) + 1
}
