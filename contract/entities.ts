import * as z from 'zod/mini'
import { Proof } from './claims/proof.ts'

/** `submitted`, `under_review` and `held` await a decision; a held claim is decided individually. */
export const ClaimStatus = z.enum(['submitted', 'under_review', 'held', 'approved', 'rejected'])
export type ClaimStatus = z.output<typeof ClaimStatus>

export const isDecided = (status: string): status is 'approved' | 'rejected' =>
  status === 'approved' || status === 'rejected'

/** The two states that give the participant a reason and can be appealed. */
export const hasReason = (status: string): status is 'held' | 'rejected' =>
  status === 'held' || status === 'rejected'

/**
 * A claim, which proves the tasks, as its participant and administrators see it. The specification and the
 * API call it a task, or submission.
 */
export const Task = z.object({
  _id: z.string(),
  ...Proof.shape,
  pfPoints: z.number(),
  plsPoints: z.number(),
  approved: z.boolean(),
  underReview: z.boolean(),
  /** Only in a held or rejected claim. Otherwise `approved` and `underReview` tell its status. */
  status: z.optional(ClaimStatus),
  /** Why it is held or rejected, as plain text for its participant. */
  reason: z.optional(z.string()),
})
export type Task = z.output<typeof Task>

/**
 * Identifies a state of a claim's proof; every edit creates a new one (optimistic lock). Opaque: send back
 * the value that a list or card showed.
 */
export const Revision = z.string().check(z.minLength(1, 'required'), z.maxLength(40, 'text_long'))

/** A participant is a `user`, an administrator an `admin`. */
export const Role = z.enum(['user', 'admin'])
export type Role = z.output<typeof Role>

export const User = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  referralCode: z.string(),
  role: Role,
  /** Whether the account has a claim in the campaign, other than a rejected one. */
  isTaskCompleted: z.boolean(),
  /** Invited participants with an approved claim. */
  referralCount: z.number(),
  referralReward: z.number(),
  /** Points in the token; `plsPoints` are in the chain's coin. */
  pfPoints: z.number(),
  plsPoints: z.number(),
  /** pfPoints + plsPoints + referralReward. */
  totalPoints: z.number(),
  /** The latest claim itself, not its id; null without one. */
  taskId: z.nullable(Task),
})
export type User = z.output<typeof User>

export const Pagination = z.object({
  currentPage: z.number(),
  totalPages: z.number(),
  totalItems: z.number(),
})
export type Pagination = z.output<typeof Pagination>

export const MessageReply = z.object({ message: z.string() })
