import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { serveDatabase } from './database-proxy.ts'

/** Startup parameters that do not reach the database. */
const WITHHELD = /timeout$/

/**
 * Like PgBouncer, gives a client another process id than the backend's, and withholds timeouts from the
 * database. Closed after the test. `sent` returns what clients have sent after their startup packets.
 */
export async function startPooler(t: TestContext, databaseUrl: string) {
  let sent = ''
  const url = await serveDatabase(t, databaseUrl, (client, upstream) => {
    client.once('data', (startup) => {
      upstream.write(removeWithheld(startup))
      client.on('data', (chunk) => (sent += chunk.toString('latin1')))
      client.pipe(upstream)
    })
    relayWithOtherPid(upstream, client)
  })
  return { url, sent: () => sent }
}

/**
 * Removes the withheld parameters from a startup packet. A packet has its length and the protocol version
 * (four bytes each), then names and values in turn, each ended by a zero byte, and a final zero byte.
 */
function removeWithheld(packet: Buffer): Buffer {
  const words = packet.subarray(8).toString('latin1').split('\0').slice(0, -2)
  const nameAt = (index: number) => words[index - (index % 2)] ?? ''
  const kept = words.filter((_word, index) => !WITHHELD.test(nameAt(index)))
  const body = Buffer.from(`${kept.map((word) => `${word}\0`).join('')}\0`, 'latin1')
  const head = Buffer.from(packet.subarray(0, 8))
  head.writeInt32BE(head.length + body.length)
  return Buffer.concat([head, body])
}

/**
 * Passes on what the backend sends, but changes the process id in its BackendKeyData (`K`). Each message
 * begins with its type (one byte) and a length of four bytes, which counts itself and the rest.
 */
function relayWithOtherPid(upstream: Socket, client: Socket): void {
  let greeting = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    greeting = Buffer.concat([greeting, chunk])
    for (let start = 0; start + 5 <= greeting.length; start += 1 + greeting.readInt32BE(start + 1)) {
      const type = String.fromCharCode(greeting[start] ?? 0)
      if (type === 'K' && start + 9 <= greeting.length) {
        greeting.writeInt32BE(greeting.readInt32BE(start + 5) + 1, start + 5)
        upstream.off('data', onData)
        client.write(greeting)
        upstream.pipe(client)
        return
      }
    }
  }
  upstream.on('data', onData)
}
