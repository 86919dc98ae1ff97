import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

const FORWARDING = /^(forwarded|via|x-real-ip|x-client-ip|true-client-ip|x-forwarded-.*|cf-connecting-ip)$/

/**
 * Whether a request comes from this very machine: its peer is a loopback address and no header says that it
 * was passed on. A proxy on this machine is a loopback peer too, and who is behind it is not.
 */
export function isFromThisMachine(request: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  const isForwarded = Object.keys(request.headers).some((name) => FORWARDING.test(name))
  return !isForwarded && isLoopbackHost(request.socket.remoteAddress ?? '')
}

/** Whether a host, by name or address, is reached from this machine alone. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  if (isIP(name) !== 0) return ipaddr.process(name).range() === 'loopback'
  return /^([a-z0-9-]+\.)?localhost$/i.test(name)
}
