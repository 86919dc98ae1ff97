import type { FastifyRequest } from 'fastify'

/** How a request was forwarded to the program, as far as the program can tell. */
export type Forwarding = {
  /** The visitor's address: that of the peer, or what a trusted proxy says. */
  client: string
  peer: string
  forwardedFor: string | undefined
  forwardedProto: string | undefined
  /** Names of other headers with which proxies name visitors; the program does not read their values. */
  unread: readonly string[]
}

const UNREAD = ['forwarded', 'x-real-ip']

export function readForwarding({ headers, ip, socket }: FastifyRequest): Forwarding {
  return {
    client: ip,
    peer: socket.remoteAddress ?? ip,
    forwardedFor: textOf(headers['x-forwarded-for']),
    forwardedProto: textOf(headers['x-forwarded-proto']),
    unread: UNREAD.filter((name) => headers[name] !== undefined),
  }
}

const textOf = (header: string | string[] | undefined) => (header === undefined ? undefined : String(header))
