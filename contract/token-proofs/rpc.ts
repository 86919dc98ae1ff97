export type RpcCall = { method: string; params: readonly unknown[] }

/** Why a call has no result. Only a revert says anything about the chain. */
export type RpcFailure =
  /** No reply: no connection, too slow, or calls are paused after failures. `detail` is for logs. */
  | { kind: 'unreachable'; detail: string }
  /** An HTTP status other than 2xx, without a JSON-RPC reply. */
  | { kind: 'status'; status: number }
  /** A JSON-RPC error, such as a revert. `data`: what a contract reverted with, in hexadecimal, if short. */
  | { kind: 'error'; code: number; message: string; data: string | undefined }
  /** The reply exceeds the limit on its size. */
  | { kind: 'too_large' }
  /** Anything else, such as a batch without a reply to this call. */
  | { kind: 'garbage' }
  /** The node is on another chain, or does not say which: no answer counts. `answered`: what it says. */
  | { kind: 'other_chain'; answered: string }

/** `result` is any JSON but undefined. */
export type RpcReply = { result: unknown } | { failure: RpcFailure }

/** Makes calls, in one request if possible. Never rejects; returns one reply per call, in the same order. */
export type Rpc = (calls: readonly RpcCall[]) => Promise<RpcReply[]>

/** Sends a body as JSON, by POST. Never rejects. */
export type Post = (body: unknown) => Promise<{ status: number; text: string } | { failure: RpcFailure }>

/** Entries of a batch. Nodes refuse large ones; those that refuse even this size are asked call by call. */
export const BATCH_SIZE = 50
/** Characters of a node's error message that are kept. */
const MAX_MESSAGE_LENGTH = 200
/** Longer data of a revert is left out, since failures stay in the history. */
const MAX_DATA_LENGTH = 1_000

/** A JSON-RPC client. When a batch is refused or not answered in full, each call is made on its own. */
export function createJsonRpc(post: Post): Rpc {
  const ask = async (calls: readonly RpcCall[]): Promise<RpcReply[]> => {
    if (calls.length < 2) return Promise.all(calls.map((call) => askOne(post, call)))
    const response = await send(post, calls.map(bodyOf))
    if ('failure' in response && !isRefusal(response.failure)) return calls.map(() => response)
    const replies = 'json' in response ? matchById(response.json, calls.length) : undefined
    return replies ?? askEach(post, calls)
  }
  return (calls) => inChunks(calls, BATCH_SIZE, ask)
}

/**
 * A client whose replies count only if the node says, in the same request, that it is on the chain. Each
 * batch asks, since another node may answer it.
 */
export function forChain(rpc: Rpc, chainId: number): Rpc {
  const ask: Rpc = async (calls) => {
    const [idReply = GARBAGE, ...replies] = await rpc([{ method: 'eth_chainId', params: [] }, ...calls])
    if ('failure' in idReply) return calls.map(() => idReply)
    const { result } = idReply
    if (isQuantity(result) && Number(result) === chainId) return replies
    const answered = startOf(JSON.stringify(result) ?? '', MAX_MESSAGE_LENGTH)
    return calls.map(() => ({ failure: { kind: 'other_chain', answered } }))
  }
  return (calls) => inChunks(calls, BATCH_SIZE - 1, ask)
}

/** Whether a value is a quantity of at most 52 bits, which a number holds exactly. */
export const isQuantity = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value)

/** Makes calls in chunks of `size`, one after the other. Asks once even if there are no calls. */
export async function inChunks<Reply>(
  calls: readonly RpcCall[],
  size: number,
  ask: (chunk: readonly RpcCall[]) => Promise<Reply[]>,
): Promise<Reply[]> {
  const replies = await ask(calls.slice(0, size))
  for (let start = size; start < calls.length; start += size)
    replies.push(...(await ask(calls.slice(start, start + size))))
  return replies
}

/** The body of a request; also shown as a command to copy. */
export function bodyOf({ method, params }: RpcCall, index = 0) {
  return { jsonrpc: '2.0', id: index + 1, method, params }
}

const GARBAGE: RpcReply = { failure: { kind: 'garbage' } }

async function askOne(post: Post, call: RpcCall): Promise<RpcReply> {
  const response = await send(post, bodyOf(call))
  return 'failure' in response ? response : readReply(response.json, 1)
}

/** Makes the first call alone. If it gets no reply, the others would not either. */
async function askEach(post: Post, [first, ...rest]: readonly RpcCall[]): Promise<RpcReply[]> {
  if (!first) return []
  const reply = await askOne(post, first)
  if ('failure' in reply && (reply.failure.kind === 'unreachable' || reply.failure.kind === 'status'))
    return [reply, ...rest.map(() => reply)]
  return [reply, ...(await Promise.all(rest.map((call) => askOne(post, call))))]
}

/** Some nodes send JSON-RPC errors with an HTTP status other than 2xx. */
async function send(post: Post, body: unknown): Promise<{ json: unknown } | { failure: RpcFailure }> {
  const response = await post(body)
  if ('failure' in response) return response
  const json = parse(response.text)
  const isOk = response.status >= 200 && response.status < 300
  if (!isOk && !(isObject(json) && 'jsonrpc' in json))
    return { failure: { kind: 'status', status: response.status } }
  return json === undefined ? { failure: { kind: 'garbage' } } : { json }
}

/** Whether the node refused the batch, but may answer single calls. */
function isRefusal(failure: RpcFailure): boolean {
  if (failure.kind === 'status')
    return failure.status < 500 && failure.status !== 408 && failure.status !== 429
  return failure.kind === 'garbage' || failure.kind === 'too_large'
}

/** @returns undefined unless each call has exactly one reply. */
function matchById(json: unknown, count: number): RpcReply[] | undefined {
  if (!Array.isArray(json) || json.length !== count) return undefined
  const entries = new Map<unknown, unknown>(json.filter(isObject).map((entry) => [entry['id'], entry]))
  if (entries.size !== count) return undefined
  const replies = Array.from({ length: count }, (_, index) => entries.get(index + 1))
  return replies.includes(undefined) ? undefined : replies.map((entry, index) => readReply(entry, index + 1))
}

function readReply(entry: unknown, id: number): RpcReply {
  if (!isObject(entry)) return GARBAGE
  const { error, result } = entry
  if (isObject(error) && typeof error['code'] === 'number')
    return { failure: readError(error, error['code']) }
  if (error !== undefined && error !== null) return GARBAGE
  return entry['id'] === id && result !== undefined ? { result } : GARBAGE
}

function readError({ message, data }: Record<string, unknown>, code: number): RpcFailure {
  return {
    kind: 'error',
    code,
    message: typeof message === 'string' ? startOf(message, MAX_MESSAGE_LENGTH) : '',
    data: isShortHex(data) ? data : undefined,
  }
}

/** The start of a text, without control characters and lone surrogates, some of which PostgreSQL refuses. */
export const startOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\p{Cc}\p{Cs}]/gu, '')

const isShortHex = (data: unknown): data is string =>
  typeof data === 'string' && data.length <= MAX_DATA_LENGTH && /^0x[0-9a-f]*$/i.test(data)

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
