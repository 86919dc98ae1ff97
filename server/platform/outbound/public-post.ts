import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

type Answer = { status: number; text: string }

/** `failure` completes “The receiver …”. It never contains the URL, which may include a token. */
export type Posted = { latencyMs: number } & (Answer | { failure: string })

type Message = { headers: Record<string, string>; body: string }

/** Sends a POST to a URL that someone entered. Never throws. */
export type PublicPost = (url: string, message: Message, signal?: AbortSignal) => Promise<Posted>

type Options = {
  /** Whether this machine may be called, too, and by plain http. */
  allowLoopback: boolean
  /** Milliseconds for the whole exchange: resolving, connecting and reading. */
  timeoutMs?: number
  /** Bytes of the answer that are read; the rest is cut off. */
  maxBytes?: number
  resolve?: (host: string) => Promise<Address[]>
}

/**
 * Creates a client for URLs not known in advance. It connects only to public addresses, and only to those
 * that it has checked: a name may resolve differently a moment later (DNS rebinding). It neither follows
 * redirects nor keeps connections.
 */
export function createPublicPost({
  allowLoopback,
  timeoutMs = 10_000,
  maxBytes = 4_096,
  resolve = (host) => lookup(host, { all: true }),
}: Options): PublicPost {
  return async (address, message, callerSignal) => {
    const startedAt = performance.now()
    const withLatency = (result: Answer | { failure: string }): Posted => ({
      ...result,
      latencyMs: Math.round(performance.now() - startedAt),
    })
    const problem = problemOf(address, { allowLoopback })
    if (problem) return withLatency({ failure: problem })
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = callerSignal ? AbortSignal.any([timeout, callerSignal]) : timeout
    try {
      const url = new URL(address)
      const addresses = await resolvePublic(url, { resolve, allowLoopback, signal })
      const pinned = addresses ? { lookup: pinTo(addresses) } : {}
      return withLatency(await exchange(url, message, { signal, ...pinned }, maxBytes))
    } catch (error) {
      if (timeout.aborted) return withLatency({ failure: `did not answer within ${timeoutMs / 1_000} s` })
      return withLatency({ failure: describe(error) })
    }
  }
}

/** Why nothing may be sent to a URL, or undefined. Does not resolve its host name. */
export function problemOf(address: string, { allowLoopback }: Pick<Options, 'allowLoopback'>) {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || url.username || url.password) return 'is not a usable address'
  const host = bareHost(url)
  const isLoopback = host === 'localhost' || rangeOf(host) === 'loopback'
  if (url.protocol === 'http:' && allowLoopback && isLoopback) return undefined
  if (url.protocol !== 'https:') return 'does not start with https://'
  return isIP(host) !== 0 && !isAllowed(host, allowLoopback) ? PRIVATE : undefined
}

const PRIVATE = 'leads to an address that is not public'

/** A URL has IPv6 addresses in brackets. */
const bareHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** An IPv4-mapped IPv6 address counts as the IPv4 address. */
const rangeOf = (address: string) => (ipaddr.isValid(address) ? ipaddr.process(address).range() : undefined)

/** `unicast` is the range of the addresses for which ipaddr.js knows no special purpose. */
function isAllowed(address: string, allowLoopback: boolean): boolean {
  const range = rangeOf(address)
  return range === 'unicast' || (allowLoopback && range === 'loopback')
}

class NotPublic extends Error {}

type Address = { address: string; family: number }
type ResolveOptions = Required<Pick<Options, 'resolve' | 'allowLoopback'>> & { signal: AbortSignal }

/** The addresses of a host name; undefined for an IP address. @throws NotPublic unless all are allowed. */
async function resolvePublic(
  url: URL,
  { resolve, allowLoopback, signal }: ResolveOptions,
): Promise<Address[] | undefined> {
  const host = bareHost(url)
  if (isIP(host) !== 0) return undefined
  signal.throwIfAborted()
  const addresses = await unlessAborted(resolve(host), signal)
  const areAllowed = addresses.every(({ address }) => isAllowed(address, allowLoopback))
  if (addresses.length > 0 && areAllowed) return addresses
  throw new NotPublic(PRIVATE)
}

/** Resolving a name cannot be aborted, but waiting for it can. */
async function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([result, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Makes the socket connect to an address that was checked, instead of resolving the name again. */
const pinTo =
  ([first, ...others]: Address[]): LookupFunction =>
  (_host, options, callback) => {
    if (!first) callback(new NotPublic(PRIVATE), '', 0)
    else if (options.all) callback(null, [first, ...others])
    else callback(null, first.address, first.family)
  }

function exchange(
  url: URL,
  { headers, body }: Message,
  options: Pick<RequestOptions, 'signal' | 'lookup'>,
  maxBytes: number,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const outgoing = request(url, {
    ...options,
    method: 'POST',
    // A new connection each time: a kept one would skip the check of the address.
    agent: false,
    headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
  })
  outgoing.on('error', reject)
  outgoing.on('response', (response) => {
    readAtMost(maxBytes, response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject)
  })
  // Without a listener, Node would close the connection and emit neither a response nor an error.
  outgoing.on('upgrade', (response, socket) => {
    socket.destroy()
    resolve({ status: response.statusCode ?? 0, text: '' })
  })
  outgoing.end(body)
  return promise.finally(() => outgoing.destroy())
}

async function readAtMost(maxBytes: number, response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

/** Uses the code, not the message: messages may contain the URL. */
function describe(error: unknown): string {
  if (error instanceof NotPublic) return error.message
  const { code, name = 'an error' } = error as { code?: unknown; name?: string }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'has a host name that could not be resolved'
  return `failed with ${typeof code === 'string' ? code : name}`
}
