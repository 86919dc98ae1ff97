import type { Challenge } from '#contract/challenge.ts'
import type { ErrorCode } from '#contract/errors.ts'

type Details = {
  /** Why each field was refused: keys of the catalogue's field reasons. */
  fields?: Record<string, string>
  /** Seconds until the call may succeed; sent as Retry-After. */
  retryAfter?: number
  /** What lets the same call pass once it is solved. */
  challenge?: Challenge
  /** Who is in the way, by name. */
  by?: string
}

/** An expected "no". Thrown by verbs, mapped to a reply in one place. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly retryAfter: number | undefined
  readonly challenge: Challenge | undefined
  readonly by: string | undefined

  constructor(code: ErrorCode, details: Details = {}) {
    super(code)
    this.name = 'Refusal'
    this.code = code
    this.fields = details.fields
    this.challenge = details.challenge
    this.by = details.by
    this.retryAfter =
      details.retryAfter === undefined ? undefined : Math.max(1, Math.ceil(details.retryAfter))
  }
}

/** @example throw refuse('already_claimed') */
export function refuse(code: ErrorCode, details?: Details): Refusal {
  return new Refusal(code, details)
}

/** Refuses one field with a reason from the catalogue. */
export function refuseField(field: string, reason: string): Refusal {
  return refuse('invalid_input', { fields: { [field]: reason } })
}
