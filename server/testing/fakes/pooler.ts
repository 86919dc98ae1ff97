import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { serveDatabase } from './database-proxy.ts'

/** The startup parameters that do not reach the database: timeouts. */
const WITHHELD = /timeout$/

/**
 * Behaves toward a client like PgBouncer: gives it a process id that is not the backend's, and withholds
 * the client's timeouts from the database. Closed after the test.
 * @returns `sent` returns everything that clients have sent after their startup packets, as text.
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
 * Removes the withheld parameters from a startup packet: its length, the protocol version, then names and
 * values, each ending with a zero byte.
 */
function removeWithheld(packet: Buffer): Buffer {
  const words = packet.subarray(8).toString('latin1').split('\0').slice(0, -2)
  const kept = words.filter((_word, index) => !WITHHELD.test(words[index - (index % 2)] ?? ''))
  const body = Buffer.from(`${kept.map((word) => `${word}\0`).join('')}\0`, 'latin1')
  const head = Buffer.from(packet.subarray(0, 8))
  head.writeInt32BE(head.length + body.length)
  return Buffer.concat([head, body])
}

/**
 * Passes on what the backend says, with another process id in its BackendKeyData (`K`). Each message begins
 * with its type (one byte) and the length of the rest (four bytes, which count themselves).
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
