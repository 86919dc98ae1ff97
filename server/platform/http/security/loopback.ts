import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

const FORWARDING = /^(forwarded|via|x-real-ip|x-client-ip|true-client-ip|x-forwarded-.*|cf-connecting-ip)$/

/** Whether a request comes from this machine itself, and not through a proxy on it. */
export function isFromThisMachine(request: Pick<FastifyRequest, 'headers' | 'socket'>): boolean {
  const isForwarded = Object.keys(request.headers).some((name) => FORWARDING.test(name))
  return !isForwarded && isLoopbackHost(request.socket.remoteAddress ?? '')
}

export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  if (isIP(name) !== 0) return ipaddr.process(name).range() === 'loopback'
  return /^([a-z0-9-]+\.)?localhost$/i.test(name)
}
