import * as z from 'zod/mini'

/**
 * What became of a claim. `held`: it was flagged and a person decides it by itself; it counts as waiting, as
 * `submitted` and `under_review` do.
 */
export const ClaimStatus = z.enum(['submitted', 'under_review', 'held', 'approved', 'rejected'])
export type ClaimStatus = z.output<typeof ClaimStatus>

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

/**
 * Which state of a claim's proof somebody saw: every edit makes another one. Opaque: what is sent with a decision is
 * what a list or card showed; anything else is another revision.
 */
export const Revision = z.string().check(z.minLength(1, 'required'), z.maxLength(40, 'text_long'))

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
export const MessageReply = z.object({ message: z.string() })
