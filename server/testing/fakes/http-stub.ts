import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { TestContext } from 'node:test'

export type LocalServer = { url: string; port: number; close: () => Promise<void> }

/** A real HTTP server on a free loopback port. */
export async function serve(listener?: RequestListener): Promise<LocalServer> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close() {
      // Hanging connections would keep the server open.
      server.closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

/** Answers every request with a body: a text as it is, anything else as JSON. */
export const replyWith =
  (body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

/** A server in place of an outside service, closed after the test. @returns its URL. */
export async function serveStub(t: TestContext, listener: RequestListener): Promise<string> {
  const { url, close } = await serve(listener)
  t.after(close)
  return url
}

/** A URL that refuses connections. Nothing can listen there: its port is the client end of a connection. */
export async function deadAddress(t: TestContext): Promise<string> {
  const { port, close } = await serve()
  const client = connect({ port, host: '127.0.0.1' })
  await once(client, 'connect')
  t.after(() => {
    client.destroy()
    return close()
  })
  return `http://127.0.0.1:${client.localPort}`
}
