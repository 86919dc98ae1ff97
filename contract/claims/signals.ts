import * as z from 'zod/mini'
import { ClaimStatus } from '../entities.ts'

/** Indications that several accounts belong to one person, heaviest first. */
export const SIGNALS = [
  'email-alias', // one mailbox, written differently
  'reused-proof',
  'same-text',
  'disposable-email',
  'shared-network',
  'referral-ring', // linked by another signal to an inviter or invitee
  'quick-proof', // soon after the registration
  'referral-star', // many claims at once with one inviter
] as const
export type SignalKind = (typeof SIGNALS)[number]

/** A claim of this risk or more is held. */
export const HOLD_THRESHOLD = 60

export const Signal = z.object({
  kind: z.enum(SIGNALS),
  weight: z.number(),
  /** One sentence of plain text that identifies no other participant. */
  reason: z.string(),
})
export type Signal = z.output<typeof Signal>

export const MAX_MEMBERS_SHOWN = 100

/** Accounts of one campaign that signals link (a connected component). */
export const Cluster = z.object({
  /** Stays the same until an older account is linked. */
  id: z.string(),
  size: z.number(),
  /** The latest claim of each account, oldest account first, at most {@link MAX_MEMBERS_SHOWN}. */
  members: z.array(
    z.object({
      claimId: z.string(),
      userId: z.string(),
      username: z.string(),
      status: ClaimStatus,
      submittedAt: z.string(),
      revision: z.string(),
    }),
  ),
  /** The linking signals, with the number of accounts each affects. */
  reasons: z.array(z.object({ kind: z.enum(SIGNALS), reason: z.string(), accounts: z.number() })),
})
export type Cluster = z.output<typeof Cluster>
