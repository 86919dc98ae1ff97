import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import type { TestContext } from 'node:test'

export type DatabaseProxy = {
  /** The same database, by way of the proxy. */
  url: string
  /** From now on nothing passes over the connections that are open; both ends believe in them. New ones work. */
  freeze(): void
  /** How many of the frozen ones the client still keeps. */
  frozen(): number
  /** From now on nothing answers at all: connections are taken, and nothing passes. */
  silence(): void
  /** New connections work again. */
  speak(): void
}

/** Stands between a client and its PostgreSQL, as a firewall does that may forget a connection; gone after the test. */
export async function databaseProxy(t: TestContext, databaseUrl: string): Promise<DatabaseProxy> {
  const pairs = new Set<[Socket, Socket]>()
  const forgotten = new Set<Socket>()
  let silent = false
  const server = createServer((client) => {
    const upstream = connectTo(databaseUrl)
    const pair: [Socket, Socket] = [client, upstream]
    pairs.add(pair)
    for (const [from, to] of [pair, pair.toReversed() as [Socket, Socket]]) {
      from.on('error', () => {})
      from.on('close', () => {
        forgotten.delete(from)
        pairs.delete(pair)
        to.destroy()
      })
      if (!silent) from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of [...pairs].flat()) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  const freeze = () => {
    for (const [client, upstream] of pairs) {
      client.unpipe(upstream)
      upstream.unpipe(client)
      // Read on, so that a client that hangs up is noticed.
      client.resume()
      forgotten.add(client)
    }
  }
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: throughPort(databaseUrl, port ?? 0),
    freeze,
    frozen: () => forgotten.size,
    silence() {
      silent = true
      freeze()
    },
    speak() {
      silent = false
    },
  }
}

/** Tests reach their PostgreSQL over its Unix socket. */
function connectTo(databaseUrl: string): Socket {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  const folder = searchParams.get('host')
  const number = port || '5432'
  return folder ? connect(path.join(folder, `.s.PGSQL.${number}`)) : connect(Number(number), hostname)
}

function throughPort(databaseUrl: string, port: number): string {
  const changed = new URL(databaseUrl)
  changed.hostname = '127.0.0.1'
  changed.port = String(port)
  changed.searchParams.delete('host')
  return changed.href
}
