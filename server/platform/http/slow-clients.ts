import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networkOf, widestNetwork } from '../limits/network.ts'

/** How long connections may take, in milliseconds, and how many there may be. */
export type ConnectionLimits = {
  /** Until the headers have arrived. */
  headersMs: number
  /** Until the whole request has arrived. */
  requestMs: number
  /** Between two checks of the two limits above, which may be exceeded by as much. */
  checkIntervalMs: number
  /** Without progress in either direction, for example a reply that is not read. */
  idleMs: number
  /** Between two requests. */
  keepAliveMs: number
  /** Between sending a refusal and closing its connection. */
  closeDelayMs: number
  /** Of this process. */
  maxConnections: number
  /** Ignored behind a proxy, from which all connections come. */
  maxConnectionsPerNetwork: number
  /** Requests of one connection that may wait for their replies at once. */
  maxPipelined: number
}

/** With `checkIntervalMs`: headers within 10 s, requests within 30 s. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 8_000,
  requestMs: 28_000,
  checkIntervalMs: 2_000,
  idleMs: 30_000,
  keepAliveMs: 65_000,
  closeDelayMs: 1_000,
  maxConnections: 16_000,
  maxConnectionsPerNetwork: 2_000,
  maxPipelined: 16,
}

/** The limits that Fastify and Node enforce. */
export function timeouts({ headersMs, requestMs, checkIntervalMs, idleMs, keepAliveMs }: ConnectionLimits) {
  return {
    requestTimeout: requestMs,
    connectionTimeout: idleMs,
    keepAliveTimeout: keepAliveMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkIntervalMs },
  }
}

/** Closes connections beyond the limits. Event streams may be idle: they have their own limits and pings. */
export function limitConnections(
  app: FastifyInstance,
  { maxConnections, maxConnectionsPerNetwork, maxPipelined }: ConnectionLimits,
  { isBehindProxy }: { isBehindProxy: boolean },
) {
  app.server.maxConnections = maxConnections
  limitPipelining(app, maxPipelined)
  if (!isBehindProxy) limitPerNetwork(app, maxConnectionsPerNetwork)
  app.addHook('onSend', async (_request, reply) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream'))
      // Node needs no listener here, but the in-process requests of tests (light-my-request) require one.
      reply.raw.setTimeout(0, () => {})
  })
}

function limitPerNetwork(app: FastifyInstance, max: number) {
  const open = new Map<string, number>()
  app.server.on('connection', (socket: Socket) => {
    const network = widestNetwork(networkOf(socket.remoteAddress))
    const count = (open.get(network) ?? 0) + 1
    if (count > max) {
      socket.destroy()
      return
    }
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}

/**
 * Closes a connection that sends request after request without waiting for replies. Neither browsers nor
 * proxies do that. Node would handle all that it has read, over a thousand short requests, and keep replies
 * that are not read. Listeners that run after this one skip the requests of a closed connection.
 */
function limitPipelining(app: FastifyInstance, max: number) {
  const waiting = new WeakMap<Socket, number>()
  app.server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (socket.destroyed) return
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > max) socket.destroy()
    else response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
  })
}
