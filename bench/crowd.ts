import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

/** What each connection of a crowd sends, again and again as soon as it is answered. */
export type CrowdOrder = { port: number; connections: number; request: string }

const { port, connections, request } = workerData as CrowdOrder
const statuses: Record<string, number> = {}

for (let index = 0; index < connections; index += 1) keepAsking()
parentPort?.on('message', () => {
  parentPort?.postMessage(statuses)
  process.exit(0)
})

function keepAsking() {
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  let rest = ''
  socket.setEncoding('latin1')
  socket.on('error', () => count('cut'))
  socket.on('close', () => setTimeout(keepAsking, 100))
  socket.on('data', (chunk) => {
    rest += String(chunk)
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0)
    if (rest.length < end + 4 + length) return
    count(rest.slice(9, 12))
    rest = rest.slice(end + 4 + length)
    socket.write(request)
  })
}

function count(status: string) {
  statuses[status] = (statuses[status] ?? 0) + 1
}
