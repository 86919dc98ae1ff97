import * as z from 'zod/mini'

/**
 * What became of a claim. `held`: it was flagged and a person decides it by itself; it counts as waiting, as
 * `submitted` and `under_review` do.
 */
export const ClaimStatus = z.enum(['submitted', 'under_review', 'held', 'approved', 'rejected'])
export type ClaimStatus = z.output<typeof ClaimStatus>

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

/** A rejection as its participant reads it: `text` is the reason in words and what the reviewer added, plain text. */
export const Rejection = z.object({ code: RejectionReason, text: z.string() })
export type Rejection = z.output<typeof Rejection>

/** What happened to a participant's claims, oldest first. `at` is an ISO time. */
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

/** A participant's claim, as the participant and administrators see it. */
export const Task = z.object({
  _id: z.string(),
  wallet: z.string(),
  telegram: z.string(),
  twitter: z.string(),
  retweetLink: z.string(),
  pfPoints: z.number(),
  plsPoints: z.number(),
  approved: z.boolean(),
  underReview: z.boolean(),
  /** Only of a claim that is held or rejected. */
  status: z.optional(ClaimStatus),
  /** Why it is held or rejected, in words for its participant: plain text. */
  reason: z.optional(z.string()),
})
export type Task = z.output<typeof Task>

export const Role = z.enum(['user', 'admin'])
export type Role = z.output<typeof Role>

/** The account of the caller, or of a participant in an administrator's list. */
export const User = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  referralCode: z.string(),
  role: Role,
  isTaskCompleted: z.boolean(),
  /** Invited people whose claim was approved. */
  referralCount: z.number(),
  /** Points from the ledger for invited people. */
  referralReward: z.number(),
  pfPoints: z.number(),
  plsPoints: z.number(),
  /** pfPoints + plsPoints + referralReward. */
  totalPoints: z.number(),
  taskId: z.nullable(Task),
})
export type User = z.output<typeof User>

export const Pagination = z.object({
  currentPage: z.number(),
  totalPages: z.number(),
  totalItems: z.number(),
})
export type Pagination = z.output<typeof Pagination>

/** A reply that only tells a person something. */
export const Told = z.object({ message: z.string() })
