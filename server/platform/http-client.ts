import { createCircuitBreaker } from './circuit-breaker.ts'
import { readCapped } from './read-capped.ts'
import { createSemaphore } from './semaphore.ts'

/** What came of asking an outside service. "Could not tell" is never to be shown as "no". */
export type Outcome =
  /** 2xx with JSON, parsed. */
  | { answer: unknown }
  /** A definite no: 4xx, but for 408 and 429, which only mean "not now". */
  | { refused: number }
  /** Why not, in words for the log; never the address, which may carry a token. */
  | { unclear: string }

export type RequestOptions = {
  method?: 'GET' | 'POST'
  /** Sent as JSON. */
  body?: unknown
  /** Sent as a form, in place of a body. */
  form?: Record<string, string>
  /** The header of that name. */
  authorization?: string
}

/** What came back, for whoever keeps a copy of it. */
export type Reply = {
  status: number
  /** The content type as it was sent; empty without one. */
  type: string
  /** Undefined when it was longer than is read. */
  text: string | undefined
  /** Seconds, where the service says when to come again. */
  retryAfter: number | undefined
}

export type HttpClient = {
  /** Asks an address below one of the allowed ones. Never throws. */
  request(address: string, question?: RequestOptions): Promise<Outcome>
  /** The same, with the reply itself where there was one. */
  requestWithReply(address: string, question?: RequestOptions): Promise<{ outcome: Outcome; reply?: Reply }>
}

export type HttpClientOptions = {
  /** The base addresses that the operator configured: nothing else is ever asked. */
  allow: readonly string[]
  fetch?: typeof fetch
  /** Milliseconds, only ever going up. */
  now?: () => number
  /** Milliseconds for the whole call: waiting for a turn, connecting, and the last byte. */
  timeout?: number
  /** Bytes of a reply, unpacked. */
  maxBytes?: number
  /** Calls under way to one host. */
  atOnce?: number
}

/**
 * The one way out: bounded in time, size and number, redirects not followed, a host that keeps failing
 * left alone for a while.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { timeout = 3_000, atOnce = 4, now = () => performance.now() } = options
  const bases = options.allow.map((base) => new URL(base))
  const hosts = new Map<string, Host>()
  const hostOf = (origin: string) => {
    const host = hosts.get(origin) ?? {
      breaker: createCircuitBreaker(now),
      semaphore: createSemaphore(atOnce),
    }
    hosts.set(origin, host)
    return host
  }
  const requestWithReply: HttpClient['requestWithReply'] = async (address, question = {}) => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (!url || !bases.some((base) => isBelow(url, base))) return unclear('not an allowed address')
    const { breaker, semaphore } = hostOf(url.origin)
    if (!breaker.allowsRequest()) return unclear('left alone after repeated failures')
    const signal = AbortSignal.timeout(timeout)
    const looked = await semaphore
      .pass(signal, () => call(url, question, signal, options))
      .catch((error: unknown) => unclear(reasonOf(error)))
    breaker.record('unclear' in looked.outcome ? 'failure' : 'success')
    return looked
  }
  return {
    requestWithReply,
    request: async (address, question) => (await requestWithReply(address, question)).outcome,
  }
}

type Looked = Awaited<ReturnType<HttpClient['requestWithReply']>>

const unclear = (why: string): Looked => ({ outcome: { unclear: why } })

type Host = {
  breaker: ReturnType<typeof createCircuitBreaker>
  semaphore: ReturnType<typeof createSemaphore>
}

/** Paths compare by whole segments: `/v1` allows `/v1/x`, not `/v10`. The parser has resolved any `..`. */
function isBelow(url: URL, base: URL): boolean {
  const folder = base.pathname.replace(/\/$/, '')
  const isInside = url.pathname === folder || url.pathname.startsWith(`${folder}/`)
  return url.origin === base.origin && isInside && !url.username && !url.password
}

const MAX_BYTES = 256 * 1024

async function call(
  url: URL,
  question: RequestOptions,
  signal: AbortSignal,
  { fetch: send = fetch, maxBytes = MAX_BYTES }: HttpClientOptions,
): Promise<Looked> {
  const response = await send(url, {
    method: question.method ?? 'GET',
    signal,
    redirect: 'manual',
    credentials: 'omit',
    headers: {
      accept: 'application/json',
      ...(question.authorization === undefined ? {} : { authorization: question.authorization }),
      ...(question.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...sent(question),
  })
  const reply = {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await readCapped(response, maxBytes),
    retryAfter: readSeconds(response.headers.get('retry-after')),
  }
  return { outcome: judge(reply, maxBytes), reply }
}

/** The type of a form is what fetch says by itself. */
function sent({ body, form }: RequestOptions): { body?: string | URLSearchParams } {
  if (form) return { body: new URLSearchParams(form) }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** A date, the other form of the header, is left aside. */
function readSeconds(header: string | null): number | undefined {
  return header && /^[0-9]{1,6}$/.test(header) ? Number(header) : undefined
}

function judge({ status, text }: Reply, maxBytes: number): Outcome {
  if (status >= 300 && status < 400) return { unclear: `answered ${status}, a redirect that is not followed` }
  const isNo = status >= 400 && status < 500 && status !== 408 && status !== 429
  if (isNo) return { refused: status }
  if (status >= 400) return { unclear: `answered ${status}` }
  if (text === undefined) return { unclear: `answered more than ${maxBytes} bytes` }
  try {
    return { answer: JSON.parse(text) as unknown }
  } catch {
    return { unclear: 'answered something that is not JSON' }
  }
}

/** `fetch failed` says nothing; its cause has a code. Texts of errors may hold the address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError') return 'took too long'
  const { code } = (error.cause ?? error) as { code?: unknown }
  return typeof code === 'string' ? `failed with ${code}` : `failed with ${error.name}`
}
