import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import type { TestContext } from 'node:test'

/** A server that connects to PostgreSQL for each client, closed after the test. @returns its URL. */
export async function serveDatabase(
  t: TestContext,
  databaseUrl: string,
  onClient: (client: Socket, upstream: Socket) => void,
): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connectTo(databaseUrl)
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    onClient(client, upstream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  return urlAtPort(databaseUrl, (server.address() as AddressInfo).port)
}

/** A TCP proxy in front of PostgreSQL. Like a firewall, it can forget connections. Closed after the test. */
export async function databaseProxy(t: TestContext, databaseUrl: string) {
  const pairs = new Set<readonly [client: Socket, upstream: Socket]>()
  const frozen = new Set<Socket>()
  let isSilent = false
  let dropped = Promise.withResolvers<void>()
  // Keeps reading, to notice when the client closes.
  const drop = (client: Socket) => client.on('data', () => dropped.resolve()).resume()
  const url = await serveDatabase(t, databaseUrl, (client, upstream) => {
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const socket of pair)
      socket.on('close', () => {
        frozen.delete(socket)
        pairs.delete(pair)
      })
    if (isSilent) drop(client)
    else client.pipe(upstream).pipe(client)
  })
  /** Drops all traffic of open connections without closing them. New connections work. */
  const freeze = () => {
    for (const [client, upstream] of pairs) {
      client.unpipe(upstream)
      upstream.unpipe(client)
      drop(client)
      frozen.add(client)
    }
  }
  return {
    url,
    freeze,
    /** Counts the frozen connections that the client has not closed yet. */
    frozenCount: () => frozen.size,
    /** Resolves when a client next sends something that is dropped. */
    nextDrop() {
      dropped = Promise.withResolvers()
      return dropped.promise
    },
    /** Drops all traffic: connections are accepted, but nothing passes. */
    silence() {
      isSilent = true
      freeze()
    },
  }
}

/** The tests' own PostgreSQL listens on a Unix socket, in the folder `host`. */
function connectTo(databaseUrl: string): Socket {
  const { hostname, port, searchParams } = new URL(databaseUrl)
  const folder = searchParams.get('host')
  const usedPort = port || '5432'
  return folder ? connect(path.join(folder, `.s.PGSQL.${usedPort}`)) : connect(Number(usedPort), hostname)
}

function urlAtPort(databaseUrl: string, port: number): string {
  const changed = new URL(databaseUrl)
  changed.hostname = '127.0.0.1'
  changed.port = String(port)
  changed.searchParams.delete('host')
  return changed.href
}
