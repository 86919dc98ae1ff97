import * as z from 'zod/mini'

/** Why a claim was rejected; `other` needs words of the reviewer's own. */
export const RejectionReason = z.enum([
  'post_missing',
  'post_of_other',
  'post_incomplete',
  'task_not_done',
  'not_in_group',
  'wallet_unusable',
  'same_person',
  'automated',
  'other',
])
export type RejectionReason = z.output<typeof RejectionReason>

/** Reasons that leave nothing to correct: the slot is free at once. An appeal stays possible. */
export const FINAL_REASONS = ['same_person', 'automated'] as const satisfies readonly RejectionReason[]
export const isFinal = (reason: RejectionReason): reason is (typeof FINAL_REASONS)[number] =>
  FINAL_REASONS.some((finalReason) => finalReason === reason)

/** A rejection as its participant reads it: `text` is the reason in words and what the reviewer added, plain text. */
export const Rejection = z.object({ code: RejectionReason, text: z.string() })
export type Rejection = z.output<typeof Rejection>

/** What happened to a participant's claims: the newest hundred entries, oldest first. `at` is an ISO time. */
export const TimelineEntry = z.object({
  what: z.enum([
    'received',
    'edited',
    'corrected',
    'under_review',
    'held',
    'appealed',
    'approved',
    'rejected',
    'reopened',
    'slot_freed',
  ]),
  at: z.string(),
  /** Of a rejection. */
  reason: z.nullable(Rejection),
})
export type TimelineEntry = z.output<typeof TimelineEntry>
