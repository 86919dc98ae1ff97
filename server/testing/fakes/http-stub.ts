import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { TestContext } from 'node:test'

/** A real HTTP server on a free port in place of an outside service; closed after the test. @returns its URL. */
export async function serveStub(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => close(server))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * A URL that refuses connections. Its port belongs to the client's end of a connection, so that no other program can
 * listen on it.
 */
export async function deadAddress(t: TestContext): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = connect({ port, host: '127.0.0.1' })
  await once(client, 'connect')
  t.after(async () => {
    client.destroy()
    await close(server)
  })
  return `http://127.0.0.1:${client.localPort}`
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
