import * as z from 'zod/mini'
import { Challenge } from '#contract/challenge.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Refusal } from '#contract/refusal.ts'

/** A refused or failed call. */
export class ApiError extends Error {
  /** 0 when no answer came. */
  readonly status: number
  readonly code: ErrorCode | 'unreachable' | 'unreadable' | (string & {})
  /** Why each refused field was refused, by field name. */
  readonly fields: Readonly<Record<string, string>>
  /** Seconds after which a new attempt may succeed; null when the server does not say. */
  readonly retryAfter: number | null
  /** Solved, it lets the same call pass. */
  readonly challenge: Challenge | undefined

  constructor(
    status: number,
    refusal: Pick<Refusal, 'message' | 'fields' | 'challenge'> & { code: ApiError['code'] },
    retryAfter: number | null = null,
  ) {
    super(refusal.message)
    this.name = 'ApiError'
    this.status = status
    this.code = refusal.code
    this.fields = refusal.fields ?? {}
    this.retryAfter = retryAfter
    this.challenge = refusal.challenge
  }
}

/**
 * The error that a refusing answer stands for, as far as it can be read: a proxy, or an older server, may say no
 * more than a message. Without that it has none.
 */
export async function refusalOf(response: Response): Promise<ApiError> {
  const said = Object(await response.json().catch(() => null)) as Record<keyof Refusal, unknown>
  const refusal = {
    message: textIn(said.message) ?? '',
    code: textIn(said.code) ?? 'unreadable',
    fields: Object.fromEntries(Object.entries(Object(said.fields) as object).filter(isReason)),
    challenge: z.safeParse(Challenge, said.challenge).data,
  }
  return new ApiError(response.status, refusal, secondsOf(response.headers.get('retry-after')))
}

const textIn = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined)
const isReason = (field: [string, unknown]): field is [string, string] => typeof field[1] === 'string'

/** What to tell the person: the server's words, else the screen's own. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}

/** The server's reasons by field, if the call was refused for its fields. */
export function fieldsOf(error: unknown): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {}
}

/** Whether the server does not know the session (any more). */
export function isDead(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Whether the server did what it was asked, though its answer cannot be read. */
export function wasDone(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 200 && error.status < 300
}

function secondsOf(header: string | null): number | null {
  const seconds = Number(header)
  return header === null || !Number.isFinite(seconds) ? null : Math.max(0, Math.ceil(seconds))
}
