import * as z from 'zod/mini'
import { Challenge } from '#contract/protocol/challenge.ts'
import type { ErrorCode } from '#contract/protocol/errors.ts'
import type { Refusal } from '#contract/protocol/refusal.ts'

export class ApiError extends Error {
  /** 0 without a response: the server was unreachable, or the form refused its fields or was left. */
  readonly status: number
  /** The server's code, or one of three that only this client sets. Newer servers may send other codes. */
  readonly code: ErrorCode | 'unreachable' | 'unreadable' | 'abandoned' | (string & {})
  /** Reasons by field name. */
  readonly fields: Readonly<Record<string, string>>
  /** Null if the server does not say. */
  readonly retryAfterSeconds: number | null
  /** If it is solved, the same call passes; undefined if that would not help. */
  readonly challenge: Challenge | undefined

  constructor(
    status: number,
    refusal: Pick<Refusal, 'message' | 'fields' | 'challenge'> & { code: ApiError['code'] },
    retryAfterSeconds: number | null = null,
  ) {
    super(refusal.message)
    this.name = 'ApiError'
    this.status = status
    this.code = refusal.code
    this.fields = refusal.fields ?? {}
    this.retryAfterSeconds = retryAfterSeconds
    this.challenge = refusal.challenge
  }
}

/** Lenient, because a proxy or an older server may send only a message, or not even that. */
export async function readRefusal(response: Response): Promise<ApiError> {
  const body = Object(await response.json().catch(() => null)) as Record<keyof Refusal, unknown>
  const refusal = {
    message: asText(body.message) ?? '',
    code: asText(body.code) ?? 'unreadable',
    fields: Object.fromEntries(Object.entries(Object(body.fields) as object).filter(isTextEntry)),
    challenge: z.safeParse(Challenge, body.challenge).data,
  }
  return new ApiError(response.status, refusal, parseRetryAfter(response.headers.get('retry-after')))
}

const asText = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined)
const isTextEntry = (field: [string, unknown]): field is [string, string] => typeof field[1] === 'string'

function parseRetryAfter(header: string | null): number | null {
  const seconds = Number(header)
  return header === null || !Number.isFinite(seconds) ? null : Math.max(0, Math.ceil(seconds))
}

/** The server's message, or the screen's fallback. Callers show it with `toast.error`. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}

export function fieldsOf(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {}
}

export function hasCode(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code
}

/** Whether the call was given up because the form had been left. No one is there to read a message. */
export function isAbandoned(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'abandoned'
}

/** Whether the call got no readable answer from the server, which may have carried it out. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'unreachable' || error.code === 'unreadable')
}

export function isUnauthenticated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether the call succeeded but its reply could not be parsed. */
export function hasCallSucceeded(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 200 && error.status < 300
}
