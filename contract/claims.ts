import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Rejection, TimelineEntry } from './claim-history.ts'
import { ClaimStatus, Pagination, Revision, Task, MessageReply, User } from './entities.ts'
import { Uuid, wholeNumber } from './parameters.ts'
import { plainText } from './plain-text.ts'
import { TelegramAccount } from './telegram.ts'

const Proof = z.strictObject({
  wallet: z.string().check(z.maxLength(60, 'wallet_format')),
  telegram: z.string().check(z.maxLength(60, 'telegram_format')),
  twitter: z.string().check(z.maxLength(60, 'twitter_format')),
  retweetLink: z.string().check(z.maxLength(300, 'retweet_link_format')),
})

/** How often a participant can send a claim: the first time, and corrected. */
export const MOST_ATTEMPTS = 3

export const submitProof = endpoint({
  method: 'POST',
  path: '/tasks',
  access: 'participant',
  summary:
    'Claim a slot of the campaign with the proof of the four tasks; after a rejection, correct the claim in the slot it keeps, twice at most.',
  limits: [
    { per: 'account', take: 60, seconds: 60 },
    { per: 'network', take: 20, seconds: 3600, forWork: 280 },
  ],
  body: Proof,
  reply: { status: 201, body: z.extend(MessageReply, { data: Task }) },
  refusals: [
    'already_claimed',
    'attempts_over',
    'wallet_taken',
    'handle_taken',
    'post_taken',
    'slots_gone',
    'campaign_not_open',
    'campaign_closed',
  ],
})

/** How often a claim can be edited in an hour: each edit has it looked at from outside anew. */
export const EDITS_AN_HOUR = 10

export const editClaim = endpoint({
  method: 'PUT',
  path: '/tasks/:taskId',
  access: 'participant',
  summary: 'Replace the proof of your own claim until its review starts, a few times an hour.',
  limits: [{ per: 'account', take: 30, seconds: 60 }],
  params: z.strictObject({ taskId: Uuid }),
  body: Proof,
  reply: { status: 200, body: z.extend(MessageReply, { data: Task }) },
  refusals: ['claim_not_found', 'review_started', 'wallet_taken', 'handle_taken', 'post_taken'],
})

export const APPEAL_LENGTH = 1000

export const appeal = endpoint({
  method: 'POST',
  path: '/tasks/:taskId/appeal',
  access: 'participant',
  summary: 'Say in your own words why a held or rejected claim is in order; once for each attempt.',
  limits: [{ per: 'account', take: 10, seconds: 60 }],
  params: z.strictObject({ taskId: Uuid }),
  body: z.strictObject({ text: plainText(1, APPEAL_LENGTH) }),
  reply: { status: 201, body: MessageReply },
  refusals: ['claim_not_found', 'not_appealable', 'already_appealed'],
})

/** Where a participant stands. Times are ISO; `null` is "there is none". */
const MyTask = z.object({
  claim: z.nullable(
    z.object({
      _id: z.string(),
      attempt: z.number(),
      status: ClaimStatus,
      wallet: z.string(),
      telegram: z.string(),
      twitter: z.string(),
      retweetLink: z.string(),
      /** The proof can be replaced: nobody has begun to review it. */
      isEditable: z.boolean(),
      isAppealable: z.boolean(),
      rejection: z.nullable(Rejection),
      /** Why it is held, a sentence each. */
      heldFor: z.array(z.string()),
      appeal: z.nullable(z.object({ text: z.string(), at: z.string(), isAnswered: z.boolean() })),
      /** 1 is next; only of a claim that waits for a decision. */
      queuePlace: z.nullable(z.number()),
    }),
  ),
  /** Of all attempts. */
  timeline: z.array(TimelineEntry),
  /** How often a claim can still be sent. */
  attemptsLeft: z.number(),
  /**
   * A slot held for this participant without a live claim: kept by the rejected one, or reserved from the waiting list.
   * `until` is null while it is kept for an appeal that nobody answered.
   */
  slot: z.nullable(z.object({ state: z.enum(['kept', 'reserved']), until: z.nullable(z.string()) })),
  /** The place on the waiting list; 1 is next. */
  waiting: z.nullable(z.object({ place: z.number(), since: z.string() })),
  /** The median from claim to decision of late, in seconds; null when too few were decided to tell. */
  typicalWaitSeconds: z.nullable(z.number()),
  /** Null where none can be connected here; `account` is null until one is. */
  telegram: z.nullable(z.object({ account: z.nullable(TelegramAccount) })),
})
export type OwnClaim = z.output<typeof MyTask>

export const ownClaim = endpoint({
  method: 'GET',
  path: '/tasks/mine',
  access: 'participant',
  summary:
    'Your last claim with its timeline, place in the queue and usual wait, your place on the waiting list, and your Telegram account.',
  reply: { status: 200, body: z.object({ data: MyTask }) },
  refusals: [],
})

/** A participant in an administrator's list; the claim with the revision of its proof. */
const Submitter = z.extend(User, { taskId: z.nullable(z.extend(Task, { revision: z.optional(z.string()) })) })
export type Submitter = z.output<typeof Submitter>

export const listSubmissions = endpoint({
  method: 'GET',
  path: '/users/',
  access: 'admin',
  summary: 'Participants who submitted, in order of submission whatever the state.',
  query: z.strictObject({ page: wholeNumber(1, 1_000_000, 1), limit: wholeNumber(1, 100, 20) }),
  reply: { status: 200, body: z.object({ data: z.array(Submitter), pagination: Pagination }) },
  refusals: [],
})

export const approveClaim = endpoint({
  method: 'PUT',
  path: '/tasks/:taskId/approve',
  access: 'admin',
  summary: "Verify a claim as it was seen and credit the campaign's amounts once; a repeat changes nothing.",
  params: z.strictObject({ taskId: Uuid }),
  body: z.strictObject({
    pfPoints: z.number(),
    plsPoints: z.number(),
    /** The revision that was seen; without it, the last that a list or card showed to the caller. */
    revision: z.optional(Revision),
  }),
  reply: { status: 200, body: z.extend(MessageReply, { data: Task }) },
  refusals: [
    'claim_not_found',
    'claim_rejected',
    'claim_changed',
    'claim_locked',
    'wrong_points',
    'own_claim',
  ],
})
