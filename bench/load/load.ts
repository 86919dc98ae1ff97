import { Worker } from 'node:worker_threads'
import { quantile } from '../stopwatch.ts'

/** Load on a server of this machine, made by a thread of its own. */
export type Load = {
  port: number
  connections: number
  /** Whole HTTP/1.1 requests as `rawRequest` makes them, sent in turn by whichever connection is free. */
  requests: readonly string[]
  /** Ends when each request is answered, instead of starting over. */
  once?: boolean
  /**
   * In a closed loop: a request refused with Retry-After is sent again after that time. Each answer is
   * counted, and its latency is measured from the first attempt.
   */
  retries?: boolean
  /** Ends after this many counted seconds; without it, `stop` or `once` ends the load. */
  seconds?: number
  /** Seconds before answers are counted. */
  warmUpSeconds?: number
  /**
   * Open loop: this many requests per second, whether or not the server keeps up; latencies are measured from
   * when a request was due. Closed loop, without a rate: a connection sends its next request when the last is
   * answered.
   */
  rate?: number
  /** Seconds after which a request has failed; ten by default. */
  timeoutSeconds?: number
}

/** Milliseconds; those of a {@link LoadResult} itself are of answers with any status. */
export type Latencies = { p50: number; p99: number; max: number }

export type LoadResult = Latencies & {
  seconds: number
  /** Answers per second with any status. */
  perSecond: number
  /** Counts by status, and by `timeout`, `disconnected` (before the answer), `refused` (no connection). */
  statuses: Record<string, number>
  /** Latencies by status. */
  byStatus: Record<string, Latencies>
  /** Requests that were due and never sent, in an open loop. */
  unsent: number
  /** The share of a core that the generator used: near 1, it was the bottleneck. */
  generatorBusy: number
}

type RunningLoad = { done: Promise<LoadResult>; stop(): Promise<LoadResult> }

/** Starts the load; resolves when each connection is open or has failed. */
export async function startLoad(load: Load): Promise<RunningLoad> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: load })
  const ready = Promise.withResolvers<void>()
  const result = Promise.withResolvers<LoadResult>()
  // Whoever awaits the result gets its failure; as long as no one does, a failure must not end the process.
  result.promise.catch(() => {})
  const fail = (error: unknown) => {
    ready.reject(error)
    result.reject(error)
  }
  worker.on('message', (message: 'ready' | LoadResult) =>
    message === 'ready' ? ready.resolve() : result.resolve(message),
  )
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error('The load ended without a result.')))
  await ready.promise
  return {
    done: result.promise,
    stop() {
      worker.postMessage('stop')
      return result.promise
    },
  }
}

/** Runs the load to its end. */
export async function runLoad(load: Load): Promise<LoadResult> {
  return (await startLoad(load)).done
}

/**
 * Compares loads that run in turn, each once per round: A B A B …
 * @returns for each load, its round with the median number of answers per second.
 */
export async function compareLoads<K extends string>(
  rounds: number,
  loads: Record<K, Load>,
): Promise<Record<K, LoadResult>> {
  const names = Object.keys(loads) as K[]
  const results = new Map<K, LoadResult[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) results.get(name)?.push(await runLoad(loads[name]))
  const medians = names.map((name) => [name, medianRound(results.get(name) ?? [])])
  return Object.fromEntries(medians) as Record<K, LoadResult>
}

/** The round with the median number of answers per second. */
export function medianRound(rounds: readonly LoadResult[]): LoadResult {
  const paces = rounds.map(({ perSecond }) => perSecond)
  const median = rounds[paces.indexOf(quantile(paces, 0.5))]
  if (!median) throw new Error('A comparison needs at least one round.')
  return median
}

type RequestParts = {
  token?: string | undefined
  /** Sent as JSON. */
  body?: unknown
  /** The address that a trusted proxy reports. */
  from?: string
  headers?: Record<string, string>
}

/** The text of a request; with a body, a POST. */
export function rawRequest(path: string, { token, body, from, headers }: RequestParts = {}): string {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: 'localhost',
    ...(from !== undefined && { 'x-forwarded-for': from }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(payload)),
    }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${payload}`
}

/** The address of a caller, by number: one of 65,536, from a range that is reserved for benchmarks. */
export const callerAddress = (caller: number) => `198.18.${(caller >> 8) & 255}.${caller & 255}`
