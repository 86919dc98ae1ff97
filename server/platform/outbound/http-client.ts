import PQueue from 'p-queue'

/** Result of a request to an external service. Never treat `unclear` as a "no". */
export type Outcome =
  /** 2xx with JSON, parsed. */
  | { answer: unknown }
  /** A definite no: 4xx except 408 and 429, which are temporary. */
  | { refused: number }
  /** The reason, for the log; never contains the URL, which may include a token. */
  | { unclear: string }

/** The reason while a service's circuit breaker is open. */
export const PAUSED = 'paused after repeated failures'

type RequestOptions = {
  method?: 'GET' | 'POST'
  /** Sent as JSON. */
  body?: unknown
  /** Sent URL-encoded instead of `body`. */
  form?: Record<string, string>
  authorization?: string
}

export type Reply = {
  status: number
  /** The Content-Type header; empty when absent. */
  type: string
  /** Undefined when it exceeds `maxBytes`. */
  text: string | undefined
  /** Seconds from the Retry-After header. */
  retryAfter: number | undefined
}

export type HttpClient = {
  /** Requests a URL below one of the allowed base URLs. Never throws. */
  request(address: string, request?: RequestOptions): Promise<Outcome>
  /** Like {@link request}, with the raw reply if there was one. */
  requestWithReply(address: string, request?: RequestOptions): Promise<{ outcome: Outcome; reply?: Reply }>
}

export type HttpClientOptions = {
  /** Base URLs configured by the operator; requests to anything else fail. */
  allow: readonly string[]
  fetch?: typeof fetch
  /** Monotonic clock in milliseconds. */
  now?: () => number
  /** Milliseconds for the whole request: queueing, connecting and reading the last byte. */
  timeoutMs?: number
  /** Maximum size of a reply after decompression. */
  maxBytes?: number
  /** Concurrent requests per base URL. */
  concurrency?: number
}

/**
 * For all outbound HTTP: limits time, size and concurrency, follows no redirect, and has a circuit breaker
 * per base URL, since several may be of one host. Why not a library: docs/decisions/024.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { timeoutMs = 3_000, concurrency = 4, now = () => performance.now() } = options
  const bases = options.allow.map((base) => new URL(base))
  const services = new Map<string, Service>()
  const serviceOf = ({ href }: URL) => {
    const service = services.get(href) ?? {
      breaker: createCircuitBreaker(now),
      queue: new PQueue({ concurrency }),
    }
    services.set(href, service)
    return service
  }
  const requestWithReply: HttpClient['requestWithReply'] = async (address, request = {}) => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    const base = url && bases.find((allowed) => isBelow(url, allowed))
    if (!base) return unclear('not an allowed address')
    const { breaker, queue } = serviceOf(base)
    if (!breaker.admitRequest()) return unclear(PAUSED)
    const signal = AbortSignal.timeout(timeoutMs)
    const result = await queue
      .add(() => send(url, request, signal, options), { signal })
      .catch((error: unknown) => unclear(describeFailure(error)))
    breaker.record(hasFailed(result))
    return result
  }
  return {
    requestWithReply,
    request: async (address, request) => (await requestWithReply(address, request)).outcome,
  }
}

type Result = Awaited<ReturnType<HttpClient['requestWithReply']>>

const unclear = (reason: string): Result => ({ outcome: { unclear: reason } })

/**
 * Whether the service failed. An answer that is too long is no failure: a participant's smart wallet decides
 * how much the chain's node returns, and must not be able to pause that node for everyone.
 */
function hasFailed({ outcome, reply }: Result): boolean {
  const isOk = reply !== undefined && reply.status >= 200 && reply.status < 300
  const wasTooLong = isOk && reply.text === undefined
  return 'unclear' in outcome && !wasTooLong
}

type Service = { breaker: ReturnType<typeof createCircuitBreaker>; queue: PQueue }

const FAILURE_THRESHOLD = 5
const OPEN_MS = 30_000

/** Opens for 30 s after five failures in a row. The outcome of a trial request then closes or reopens it. */
function createCircuitBreaker(now: () => number) {
  let failures = 0
  let openUntil = -Infinity
  return {
    /** False while the breaker is open. Call it only for a request that is then sent and recorded. */
    admitRequest(): boolean {
      if (now() < openUntil) return false
      // Half-open: this request is the trial. Others stay blocked until its outcome is recorded, or for 30 s.
      if (failures >= FAILURE_THRESHOLD) openUntil = now() + OPEN_MS
      return true
    },
    record(isFailure: boolean) {
      failures = isFailure ? failures + 1 : 0
      openUntil = failures >= FAILURE_THRESHOLD ? now() + OPEN_MS : -Infinity
    },
  }
}

/** Compares whole path segments: `/v1` allows `/v1/x`, not `/v10`. The URL parser has resolved any `..`. */
function isBelow(url: URL, base: URL): boolean {
  const folder = base.pathname.replace(/\/$/, '')
  const isInside = url.pathname === folder || url.pathname.startsWith(`${folder}/`)
  return url.origin === base.origin && isInside && !url.username && !url.password
}

const MAX_BYTES = 256 * 1024

async function send(
  url: URL,
  request: RequestOptions,
  signal: AbortSignal,
  { fetch: fetchUrl = fetch, maxBytes = MAX_BYTES }: HttpClientOptions,
): Promise<Result> {
  const response = await fetchUrl(url, {
    method: request.method ?? 'GET',
    signal,
    redirect: 'manual',
    credentials: 'omit',
    headers: {
      accept: 'application/json',
      ...(request.authorization === undefined ? {} : { authorization: request.authorization }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...encodeBody(request),
  })
  const reply = {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await readCapped(response, maxBytes),
    retryAfter: parseRetryAfter(response.headers.get('retry-after')),
  }
  return { outcome: classify(reply, maxBytes), reply }
}

/** fetch sets the content type of a form itself. */
function encodeBody({ body, form }: RequestOptions): { body?: string | URLSearchParams } {
  if (form) return { body: new URLSearchParams(form) }
  return body === undefined ? {} : { body: JSON.stringify(body) }
}

/** The seconds in the header; undefined if it names a date. */
function parseRetryAfter(header: string | null): number | undefined {
  return header && /^[0-9]{1,6}$/.test(header) ? Number(header) : undefined
}

function classify({ status, text }: Reply, maxBytes: number): Outcome {
  if (status >= 300 && status < 400) return { unclear: `answered ${status}, a redirect that is not followed` }
  const isNo = status >= 400 && status < 500 && status !== 408 && status !== 429
  if (isNo) return { refused: status }
  if (status >= 400) return { unclear: `answered ${status}` }
  if (text === undefined) return { unclear: `answered more than ${maxBytes} bytes` }
  try {
    return { answer: JSON.parse(text) as unknown }
  } catch {
    return { unclear: 'did not answer with JSON' }
  }
}

/** Uses the error code, not the message: messages may contain the URL. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError') return 'took too long'
  const { code } = (error.cause ?? error) as { code?: unknown }
  return typeof code === 'string' ? `failed with ${code}` : `failed with ${error.name}`
}

/** Undefined beyond `maxBytes`. Counts decompressed bytes: a small reply must not exhaust memory. */
async function readCapped(reply: Response, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the stream and closes the connection.
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
