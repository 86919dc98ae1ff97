import * as z from 'zod/mini'

/** Why a claim was rejected; `other` requires a text from the reviewer. */
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

/** Reasons after which a claim cannot be corrected and its slot is freed at once. An appeal is possible. */
export const FINAL_REASONS = ['same_person', 'automated'] as const satisfies readonly RejectionReason[]
export const isFinal = (reason: Rejection['code']): reason is (typeof FINAL_REASONS)[number] =>
  FINAL_REASONS.some((finalReason) => finalReason === reason)

/** Reasons that no reviewer gives, because the claim ended with its account. */
export const ACCOUNT_REASONS = ['account_banned', 'account_deleted'] as const

/** A rejection as its participant sees it. `text` is plain: the reason, then the reviewer's words. */
export const Rejection = z.object({
  code: z.enum([...RejectionReason.options, ...ACCOUNT_REASONS]),
  text: z.string(),
})
export type Rejection = z.output<typeof Rejection>

/** An event in the history of a participant's claims. A timeline has the newest hundred, oldest first. */
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
  /** Set for `rejected` only. */
  reason: z.nullable(Rejection),
})
export type TimelineEntry = z.output<typeof TimelineEntry>
