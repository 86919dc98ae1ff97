import type { Challenge } from '#contract/protocol/challenge.ts'
import type { Locale } from '#contract/locales.ts'
import type { ErrorCode } from '#contract/protocol/errors.ts'

type Details = {
  /** Reason per field: a key of the catalog's `fields` or `messages`, or a sentence in English. */
  fields?: Record<string, string>
  /** `fields` in the caller's language, if they are sentences. */
  fieldsIn?: (locale: Locale) => Record<string, string>
  /** Seconds until the call may succeed; sent as Retry-After, rounded up. */
  retryAfter?: number
  /** Allows the same call once solved. */
  challenge?: Challenge
  /** Name of the administrator who holds the review lock. */
  by?: string
}

/** An expected "no". Thrown by operations; the error handler maps it to a reply. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly details: Readonly<Details>

  constructor(code: ErrorCode, details: Details = {}) {
    super(code)
    this.code = code
    this.details = details
  }
}

/** @example throw refuse('already_claimed') */
export function refuse(code: ErrorCode, details?: Details): Refusal {
  return new Refusal(code, details)
}

export function refuseField(field: string, reason: string): Refusal {
  return refuse('invalid_input', { fields: { [field]: reason } })
}
