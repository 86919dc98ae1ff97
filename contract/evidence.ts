import * as z from 'zod/mini'

/** What is looked at for each claim, in the order in which a card shows it. */
export const CHECKS = [
  'post',
  'post-author',
  'post-hashtags',
  'post-time',
  'telegram',
  'telegram-handle',
  'wallet',
  'wallet-kind',
  'wallet-used',
] as const
export type Check = (typeof CHECKS)[number]

/** Three outcomes: an outside service that says nothing has not said no. */
export const CHECK_OUTCOMES = ['confirmed', 'contradicted', 'could_not_tell'] as const
export type CheckOutcome = (typeof CHECK_OUTCOMES)[number]

/** What one check saw of a claim: evidence for the person who decides, never a verdict. */
export const Evidence = z.object({
  check: z.enum(CHECKS),
  outcome: z.enum(CHECK_OUTCOMES),
  /** A sentence for the reviewer; plain text. */
  detail: z.string(),
  /** Who or what was asked, as `X oEmbed`. */
  source: z.string(),
  checkedAt: z.string(),
  /** Of the reply; null where nothing answered or nothing was asked. */
  httpStatus: z.nullable(z.number()),
  /** The beginning of what was answered (up to 4,000 characters), as it came: show it as text only. */
  seen: z.nullable(z.string()),
  /** SHA-256 of the whole answer, in hexadecimal. */
  seenHash: z.nullable(z.string()),
  /** How often it was looked at; 0 while nobody has. */
  tries: z.number(),
  /** When it is looked at again; null when it is settled or given up. */
  nextTryAt: z.nullable(z.string()),
})
export type Evidence = z.output<typeof Evidence>
