import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { callerAddress } from '../load/load.ts'

/**
 * The `workerData` of this worker. It opens event streams and posts 'open' when all are open. For each event
 * text posted to it, it then posts the time at which the last stream has received the event.
 */
export type ListenerOptions = {
  port: number
  count: number
  path: string
}

const { port, count, path } = workerData as ListenerOptions
/** How many streams open at a time. The server's backlog holds more. */
const BATCH = 100
/** Below the product's limit. */
const STREAMS_PER_NETWORK = 40
const HEADERS = [
  'host: localhost',
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'accept: text/event-stream',
  'accept-encoding: gzip, deflate, br, zstd',
  'accept-language: en-US,en;q=0.9',
  'cache-control: no-cache',
  'sec-fetch-dest: empty',
  'sec-fetch-mode: cors',
  'sec-fetch-site: same-origin',
].join('\r\n')

let awaitedEvent: string | undefined
/** The sockets that have received the awaited event. */
const heard = new Set<Socket>()

for (let opened = 0; opened < count; opened += BATCH)
  await Promise.all(
    Array.from({ length: Math.min(BATCH, count - opened) }, (_, index) => open(opened + index)),
  )
parentPort?.on('message', (event: string) => {
  awaitedEvent = event
  heard.clear()
})
parentPort?.postMessage('open')

function open(index: number): Promise<void> {
  const from = callerAddress(Math.floor(index / STREAMS_PER_NETWORK))
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${HEADERS}\r\nx-forwarded-for: ${from}\r\n\r\n`),
    )
    socket.setEncoding('latin1')
    socket.once('data', (chunk) => {
      if (String(chunk).startsWith('HTTP/1.1 200 ')) resolve()
      else reject(new Error(`Listener ${index}: ${String(chunk).slice(0, 40)}`))
    })
    socket.on('data', (chunk) => {
      if (awaitedEvent === undefined || !String(chunk).includes(awaitedEvent)) return
      heard.add(socket)
      if (heard.size === count) parentPort?.postMessage(performance.timeOrigin + performance.now())
    })
    socket.on('error', reject)
  })
}
