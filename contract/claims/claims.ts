import * as z from 'zod/mini'
import { campaign } from '../campaign.ts'
import { endpoint } from '../protocol/endpoint.ts'
import { Rejection, TimelineEntry } from './claim-history.ts'
import { ClaimStatus, Pagination, Revision, Task, MessageReply, User } from '../entities.ts'
import { Uuid, MAX_PAGE, wholeNumber } from '../protocol/parameters.ts'
import { plainText } from '../protocol/fields.ts'
import { Proof } from './proof.ts'
import { NO_CLAIMS_NOW } from './slots.ts'
import { TelegramAccount } from '../accounts/telegram.ts'
import { ProvenWallet } from '../accounts/wallets.ts'

/** The proof as typed; the server normalizes it. Not in proof.ts, which stays small for the first screen. */
const TypedProof = z.strictObject({
  wallet: z.string().check(z.maxLength(60, 'wallet_format')),
  telegram: z.string().check(z.maxLength(60, 'telegram_format')),
  twitter: z.string().check(z.maxLength(60, 'twitter_format')),
  retweetLink: z.string().check(z.maxLength(300, 'retweet_link_format')),
}) satisfies z.core.$ZodType<Proof>

export const PROOF_TAKEN = ['wallet_taken', 'handle_taken', 'post_taken'] as const

/** How often a claim can be sent (corrected ones count). A reserved slot allows one more. */
export const MAX_ATTEMPTS = 3

export const submitProof = endpoint('POST /tasks', {
  access: 'participant',
  invalidatesCacheOf: [campaign.path],
  summary:
    'Claim a slot with your proof. After a rejection, submit a corrected proof while the slot is kept, at most twice.',
  limits: [
    { per: 'account', take: 60, seconds: 60 },
    { per: 'network', take: 20, seconds: 3600, forWork: 280 },
  ],
  body: TypedProof,
  status: 201,
  reply: z.extend(MessageReply, { data: Task }),
  refusals: [
    'already_claimed',
    'attempts_over',
    ...PROOF_TAKEN,
    'slots_gone',
    ...NO_CLAIMS_NOW,
    'account_banned',
  ],
})

/**
 * How many edits may change a claim: each repeats its automatic checks, and the wallet, handles and post that
 * it shows stay reserved until the decision. The `limits` count all calls.
 */
export const MAX_EDITS = 10

export const editClaim = endpoint('PUT /tasks/:taskId', {
  access: 'participant',
  summary: 'Replace the proof of your claim until its review starts, at most ten times.',
  limits: [{ per: 'account', take: 30, seconds: 60 }],
  params: z.strictObject({ taskId: Uuid }),
  body: z.extend(TypedProof, {
    /** The revision that the edit began from (optimistic lock). Without it, the edit replaces any other. */
    revision: z.optional(Revision),
  }),
  reply: z.extend(MessageReply, { data: Task }),
  refusals: [
    'claim_not_found',
    'review_started',
    'edited_elsewhere',
    'edits_over',
    ...PROOF_TAKEN,
    'campaign_archived',
  ],
})

export const MAX_APPEAL_LENGTH = 1000

export const appeal = endpoint('POST /tasks/:taskId/appeal', {
  access: 'participant',
  summary: 'Appeal against a hold or a rejection in your own words; once per attempt.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  params: z.strictObject({ taskId: Uuid }),
  body: z.strictObject({ text: plainText(1, MAX_APPEAL_LENGTH) }),
  status: 201,
  reply: MessageReply,
  refusals: ['claim_not_found', 'not_appealable', 'already_appealed', 'campaign_archived'],
})

/** A participant's claim, slot and place in line. Times are ISO. */
const OwnClaim = z.object({
  claim: z.nullable(
    z.object({
      _id: z.string(),
      attempt: z.number(),
      status: ClaimStatus,
      ...Proof.shape,
      revision: Revision,
      /** Its review has not started, and there were fewer than {@link MAX_EDITS} edits. */
      isEditable: z.boolean(),
      isAppealable: z.boolean(),
      rejection: z.nullable(Rejection),
      /** Why it is held, one sentence per reason. */
      heldFor: z.array(z.string()),
      appeal: z.nullable(z.object({ text: z.string(), at: z.string(), isAnswered: z.boolean() })),
      /** 1 is next; null once the claim is decided. */
      queuePlace: z.nullable(z.number()),
    }),
  ),
  /** Covers all attempts. */
  timeline: z.array(TimelineEntry),
  attemptsLeft: z.number(),
  /**
   * A slot reserved for this participant without a live claim: `kept` after a rejection, or `reserved` from
   * the waiting list. `until` is null while an open appeal keeps it.
   */
  slot: z.nullable(z.object({ state: z.enum(['kept', 'reserved']), until: z.nullable(z.string()) })),
  /** The position on the waiting list; 1 is next. */
  waiting: z.nullable(z.object({ place: z.number(), since: z.string() })),
  /** Median seconds to a recent decision; null below five decisions. */
  typicalWaitSeconds: z.nullable(z.number()),
  /** Null if this site does not offer the connection. `account` is null until one is connected. */
  telegram: z.nullable(z.object({ account: z.nullable(TelegramAccount) })),
  /** May differ from the claim's wallet. */
  provenWallet: z.nullable(ProvenWallet),
})
export type OwnClaim = z.output<typeof OwnClaim>

export const ownClaim = endpoint('GET /tasks/mine', {
  access: 'participant',
  summary:
    'Your latest claim with its timeline, its position in the review queue and the typical wait, your position on the waiting list, your Telegram account, and your proven wallet.',
  reply: z.object({ data: OwnClaim }),
})

/** A participant in the list for administrators. `taskId` is the latest claim, with its proof's revision. */
const Claimant = z.extend(User, { taskId: z.nullable(z.extend(Task, { revision: z.optional(z.string()) })) })
export type Claimant = z.output<typeof Claimant>

export const listClaimants = endpoint('GET /users/', {
  access: 'admin',
  summary: 'Participants with a claim of any status, in order of submission.',
  query: z.strictObject({ page: wholeNumber(1, MAX_PAGE, 1), limit: wholeNumber(1, 100, 20) }),
  reply: z.object({ data: z.array(Claimant), pagination: Pagination }),
})

export const approveClaim = endpoint('PUT /tasks/:taskId/approve', {
  access: 'admin',
  summary: "Approve a claim at the revision that was reviewed and credit the campaign's points. Idempotent.",
  params: z.strictObject({ taskId: Uuid }),
  body: z.strictObject({
    /** Both confirm the points that the campaign grants; any other number is refused. */
    pfPoints: z.number(),
    plsPoints: z.number(),
    /** The reviewed revision (optimistic lock); defaults to the last one that the caller was shown. */
    revision: z.optional(Revision),
  }),
  reply: z.extend(MessageReply, { data: Task }),
  refusals: [
    'claim_not_found',
    'claim_rejected',
    'claim_changed',
    'claim_locked',
    'wrong_points',
    'own_claim',
    'campaign_archived',
  ],
})
