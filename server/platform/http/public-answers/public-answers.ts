import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestRecord } from '../access-record.ts'
import { compressedReplyTo, type PublicAnswer } from './answer.ts'
import { createBoundedCache } from './bounded-cache.ts'

export type Source = {
  /** The answer if it is in memory and current. */
  current(): PublicAnswer | undefined
  read(): Promise<PublicAnswer>
}

/** A URL that was answered from a source, with what the access log and the metrics say about it. */
export type KnownUrl = { source: Source; path: string; parameters?: string[]; route: string }

export type PublicAnswers = {
  /**
   * A source that keeps what `read` returns for a limited time. Simultaneous calls share one reading. A
   * failure is not kept.
   * @param key of validated input only, so that one answer has one key.
   * @param group what {@link PublicAnswers.expire} names.
   */
  source(key: string, group: string, read: () => Promise<PublicAnswer>): Source
  /** Stops serving answers whose reading began before this call. @param groups all when absent. */
  expire(groups?: readonly string[]): void
  /** Sends the answer of a source. Later requests for the same URL are answered before they reach Fastify. */
  send(request: FastifyRequest, reply: FastifyReply, source: Source): Promise<FastifyReply>
  /** What a URL was answered from; undefined if it has to be routed. */
  find(url: string): KnownUrl | undefined
  recordServed: ServedCallback
  /** Calls back for each exchange that Fastify did not see, and so for each call of `recordServed`. */
  whenServed(callback: ServedCallback): void
}

export type Exchange = { method: string; route: string; status: number }

type ServedCallback = (exchange: Exchange, ms: number) => void

type Options = {
  /** For how long an answer is served, from the beginning of its reading; 0 keeps none. */
  keepForMs: number
  /** Called by `expire` before any answer is read again. Not called for an empty list of groups. */
  onExpire?: () => void
  maxEntries?: number
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

/** An answer in demand is refreshed after this share of its lifetime, so that no caller waits for it. */
const READ_AHEAD = 0.75
const MAX_BYTES = 8 * 1024 * 1024
const MAX_URLS = 2_000
const MAX_URL_LENGTH = 512

type CachedAnswer = { answer: PublicAnswer; version: number; readAt: number; isReadAhead: boolean }
type PendingRead = { version: number; answer: Promise<PublicAnswer> }

/**
 * Keeps public answers, ready to send, by key and version. The version of an answer ends when a call to this
 * node changes what it shows, and when the database announces a change (NOTIFY). Even if an announcement is
 * lost, no answer is served for longer than `keepForMs`.
 */
export function createPublicAnswers({
  keepForMs,
  onExpire,
  maxEntries = 500,
  now = () => performance.now(),
}: Options): PublicAnswers {
  const kept = createBoundedCache<CachedAnswer>({
    maxEntries,
    maxWeight: MAX_BYTES,
    weigh: ({ answer }) => answer.bytes,
  })
  const urls = createBoundedCache<KnownUrl>({
    maxEntries: MAX_URLS,
    maxWeight: MAX_URLS * MAX_URL_LENGTH,
    weigh: (_known, url) => url.length,
  })
  const readings = new Map<string, PendingRead>()
  const versions = createVersions()
  const callbacks: ServedCallback[] = []

  function read(key: string, group: string, readAnswer: () => Promise<PublicAnswer>): Promise<PublicAnswer> {
    const version = versions.of(group)
    const running = readings.get(key)
    if (running?.version === version) return running.answer
    // Taken before the reading: an answer may count as older than what it shows, but never as newer.
    const readAt = now()
    const reading = { version, answer: readAnswer() }
    readings.set(key, reading)
    const forget = () => {
      if (readings.get(key) === reading) readings.delete(key)
    }
    reading.answer.then((answer) => {
      forget()
      if (versions.of(group) === version) kept.set(key, { answer, version, readAt, isReadAhead: false })
    }, forget)
    return reading.answer
  }

  return {
    source(key, group, readAnswer) {
      const readShared = () => read(key, group, readAnswer)
      return {
        current() {
          const cached = kept.get(key)
          if (cached?.version !== versions.of(group)) return undefined
          const age = now() - cached.readAt
          if (age >= keepForMs) return undefined
          if (age >= keepForMs * READ_AHEAD && !cached.isReadAhead) {
            cached.isReadAhead = true
            // If it fails, the first caller after the answer has expired reads it again and gets the error.
            readShared().catch(() => {})
          }
          return cached.answer
        },
        read: readShared,
      }
    },
    expire(groups) {
      if (groups?.length !== 0) onExpire?.()
      versions.end(groups)
    },
    async send(request, reply, source) {
      const answer = source.current() ?? (await source.read())
      const url = request.raw.url ?? ''
      if (url.length <= MAX_URL_LENGTH) urls.set(url, knownUrl(request, source))
      return sendAnswer(request, reply, answer)
    },
    find: urls.get,
    recordServed(exchange, ms) {
      for (const callback of callbacks) callback(exchange, ms)
    },
    whenServed: (callback) => callbacks.push(callback),
  }
}

/** A version per group. Ending the version of a group, or of all groups, increases it. */
function createVersions() {
  const ended = new Map<string, number>()
  let allEnded = 0
  return {
    of: (group: string) => allEnded + (ended.get(group) ?? 0),
    end(groups?: readonly string[]) {
      if (!groups) allEnded += 1
      for (const group of groups ?? []) ended.set(group, (ended.get(group) ?? 0) + 1)
    },
  }
}

function knownUrl(request: FastifyRequest, source: Source): KnownUrl {
  const { path, parameters } = requestRecord(request)
  const route = request.routeOptions.url ?? path
  return { source, path, route, ...(parameters ? { parameters } : {}) }
}

/** Sends an answer without remembering its URL, which may get another answer later or for someone else. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: PublicAnswer,
): Promise<FastifyReply> {
  const { status, headers, body } = await compressedReplyTo(request.headers, answer)
  return reply.code(status).headers(headers).send(body)
}

export const fixedSource = (answer: PublicAnswer): Source => ({
  current: () => answer,
  read: async () => answer,
})
