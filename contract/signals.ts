import * as z from 'zod/mini'

/** What may speak for several accounts being one person, the heaviest first. */
export const SIGNALS = [
  'email-twin',
  'reused-proof',
  'same-text',
  'disposable-email',
  'shared-network',
  'referral-ring',
  'quick-proof',
  'referral-star',
] as const
export type SignalKind = (typeof SIGNALS)[number]

/** A claim whose signals weigh this much together is held: a person decides it by itself. */
export const HOLD_FROM = 60

export const Signal = z.object({
  kind: z.enum(SIGNALS),
  weight: z.number(),
  /** A sentence that names nobody else; plain text. */
  reason: z.string(),
})
export type Signal = z.output<typeof Signal>

/** How many members of a cluster are listed. */
export const MEMBERS_SHOWN = 100

/** Accounts of one campaign that signals join. */
export const Cluster = z.object({
  /** Stays the same while no older account joins. */
  id: z.string(),
  size: z.number(),
  /** The newest claim of each, the oldest first, up to {@link MEMBERS_SHOWN}. */
  members: z.array(
    z.object({
      claimId: z.string(),
      username: z.string(),
      status: z.string(),
      submittedAt: z.string(),
      /** Of its proof. */
      revision: z.string(),
    }),
  ),
  /** What joins them, with how many of the accounts it touches. */
  reasons: z.array(z.object({ kind: z.enum(SIGNALS), reason: z.string(), accounts: z.number() })),
})
export type Cluster = z.output<typeof Cluster>
