import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networkOf, widestNetwork } from './network.ts'

/** Milliseconds, and numbers of connections. */
export type ConnectionLimits = {
  /** Until the headers of a request, and all of it, have arrived. */
  headers: number
  request: number
  /** Between looks at the two above: what is late is cut that much later at most. */
  check: number
  /** Without progress in either direction: an answer that nobody reads. */
  silence: number
  /** Between two requests. */
  keepAlive: number
  /** For a refusal to arrive before its connection is gone. */
  goodbye: number
  /** Connections of this process, and of one network where no proxy stands before it. */
  connections: number
  connectionsEach: number
}

/** Headers are cut within 10 s, requests within 30 s. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  headers: 8_000,
  request: 28_000,
  check: 2_000,
  silence: 30_000,
  keepAlive: 65_000,
  goodbye: 1_000,
  connections: 10_000,
  connectionsEach: 2_000,
}

/** What Fastify and Node do of it by themselves. */
export function timeouts({ headers, request, check, silence, keepAlive }: ConnectionLimits) {
  return {
    requestTimeout: request,
    connectionTimeout: silence,
    keepAliveTimeout: keepAlive,
    http: { headersTimeout: headers, connectionsCheckingInterval: check },
  }
}

/** Ends connections beyond the limits. Streams of events may be silent: they have caps and pings of their own. */
export function limitConnections(
  app: FastifyInstance,
  { connections, connectionsEach }: ConnectionLimits,
  { behindProxy }: { behindProxy: boolean },
) {
  app.server.maxConnections = connections
  if (!behindProxy) limitEach(app, connectionsEach)
  app.addHook('onSend', async (_request, reply) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream'))
      // Node's own default, which in-process calls of tests must be given.
      reply.raw.setTimeout(0, () => {})
  })
}

function limitEach(app: FastifyInstance, most: number) {
  const open = new Map<string, number>()
  app.server.on('connection', (socket: Socket) => {
    const network = widestNetwork(networkOf(socket.remoteAddress))
    const own = (open.get(network) ?? 0) + 1
    if (own > most) return socket.destroy()
    open.set(network, own)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
    return socket
  })
}
