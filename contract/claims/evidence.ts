import * as z from 'zod/mini'

/** The automatic checks of a claim, in display order. */
export const EVIDENCE_CHECKS = [
  'post',
  'post-author',
  'post-hashtags',
  'post-time',
  'telegram',
  'telegram-handle',
  'wallet',
  'wallet-owned', // it signed a message
  'wallet-kind', // an account or a contract
  'wallet-used', // it has a transaction or a balance
] as const
export type EvidenceCheck = (typeof EVIDENCE_CHECKS)[number]

/** `could_not_tell` if a service does not answer, never `contradicted`. */
const CHECK_OUTCOMES = ['confirmed', 'contradicted', 'could_not_tell'] as const
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

/** The result of one check: evidence for the reviewer, never a decision. */
export const Evidence = z.object({
  check: z.enum(EVIDENCE_CHECKS),
  outcome: z.enum(CHECK_OUTCOMES),
  /** One sentence of plain text for the reviewer, in the language of the reply. */
  detail: z.string(),
  /** What was queried or examined, such as `X oEmbed` or `the id of the post`. */
  source: z.string(),
  checkedAt: z.string(),
  /** Null if there was no request or no response. */
  httpStatus: z.nullable(z.number()),
  /** The first 4,000 characters of the response. Untrusted: display as text only. */
  seen: z.nullable(z.string()),
  /** SHA-256 of the entire response, in hexadecimal. */
  seenHash: z.nullable(z.string()),
  /** 0 until the check has run. */
  tries: z.number(),
  /** ISO 8601; null once the outcome is final or retries are exhausted. */
  nextTryAt: z.nullable(z.string()),
})
export type Evidence = z.output<typeof Evidence>
