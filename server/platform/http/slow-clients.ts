import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networkOf, widestNetwork } from '../limits/network.ts'

/** Timeouts in milliseconds, and numbers of connections. */
export type ConnectionLimits = {
  /** Until the headers, and the whole request, have arrived. */
  headers: number
  request: number
  /** Interval of checking the two above; adds to them at most once. */
  check: number
  /** Without progress in either direction, for example a reply that is not read. */
  silence: number
  /** Between two requests. */
  keepAlive: number
  /** Between sending a refusal and closing its connection. */
  goodbye: number
  /** Per process, and per network unless behind a proxy. */
  connections: number
  connectionsEach: number
}

/** With `check`: headers within 10 s, requests within 30 s. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  headers: 8_000,
  request: 28_000,
  check: 2_000,
  silence: 30_000,
  keepAlive: 65_000,
  goodbye: 1_000,
  connections: 16_000,
  connectionsEach: 2_000,
}

/** The limits that Fastify and Node enforce. */
export function timeouts({ headers, request, check, silence, keepAlive }: ConnectionLimits) {
  return {
    requestTimeout: request,
    connectionTimeout: silence,
    keepAliveTimeout: keepAlive,
    http: { headersTimeout: headers, connectionsCheckingInterval: check },
  }
}

/** Closes connections beyond the limits. Event streams may be idle: they have their own caps and pings. */
export function limitConnections(
  app: FastifyInstance,
  { connections, connectionsEach }: ConnectionLimits,
  { behindProxy }: { behindProxy: boolean },
) {
  app.server.maxConnections = connections
  if (!behindProxy) limitEach(app, connectionsEach)
  app.addHook('onSend', async (_request, reply) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream'))
      // The empty listener is Node's default; in-process calls of tests require one.
      reply.raw.setTimeout(0, () => {})
  })
}

function limitEach(app: FastifyInstance, max: number) {
  const open = new Map<string, number>()
  app.server.on('connection', (socket: Socket) => {
    const network = widestNetwork(networkOf(socket.remoteAddress))
    const count = (open.get(network) ?? 0) + 1
    if (count > max) return socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
    return socket
  })
}
