import * as z from 'zod/mini'
import { endpoint } from '../protocol/endpoint.ts'
import { Evidence } from '../claims/evidence.ts'
import { PROOF_TAKEN } from '../claims/claims.ts'
import { FINAL_REASONS, Rejection, RejectionReason, TimelineEntry } from '../claims/claim-history.ts'
import { ClaimStatus, Revision, Task, MessageReply } from '../entities.ts'
import { SearchText, Uuid, wholeNumber } from '../protocol/parameters.ts'
import { plainText } from '../protocol/fields.ts'
import { Proof } from '../claims/proof.ts'
import { Cluster, HOLD_THRESHOLD, Signal } from '../claims/signals.ts'

/**
 * Server-sent events for administrators: `claims` with {@link ClaimsChanged}. They need a bearer token, which
 * an `EventSource` cannot send, so read them with `fetch`. At the stream limit of the node or the
 * administrator, the reply is 204 and the client polls.
 */
export const REVIEW_EVENTS_PATH = '/api/v1/review/events'

/** `claims`: changed claims' ids, null if any may have changed. `version` increases with a node's events. */
export type ClaimsChanged = { version: number; claims: string[] | null }

/** The lowest risk of each band above `low`. */
export const RISK_THRESHOLDS = { medium: HOLD_THRESHOLD / 2, high: HOLD_THRESHOLD } as const
const Risk = z.enum(['low', 'medium', 'high'])
export type Risk = z.output<typeof Risk>

/** `flagged`: waiting, with a risk above zero. `appealed`: with an open appeal. `all` requires a search. */
const Filter = z.enum(['waiting', 'flagged', 'appealed', 'decided', 'all'])
export type ReviewFilter = z.output<typeof Filter>

/** The lease of a review lock. */
export const LOCK_SECONDS = 120

const Lock = z.object({
  by: z.string(),
  isMine: z.boolean(),
  until: z.string(),
})

/** A claim in a filtered list of the review screen. Times are ISO. */
const ReviewRow = z.object({
  _id: z.string(),
  attempt: z.number(),
  status: ClaimStatus,
  userId: z.string(),
  username: z.string(),
  email: z.string(),
  ...Proof.shape,
  /** The revision of the proof, to be sent with a decision. */
  revision: z.string(),
  submittedAt: z.string(),
  /** The sum of the signals' weights; at least 1 for a held claim. */
  risk: z.number(),
  riskBand: Risk,
  /** Why it is held, one sentence per reason. */
  heldFor: z.array(z.string()),
  hasOpenAppeal: z.boolean(),
  lock: z.nullable(Lock),
  decidedAt: z.nullable(z.string()),
  decidedBy: z.nullable(z.string()),
  rejection: z.nullable(Rejection),
  /** The caller's own claim, which another administrator must decide. */
  isOwn: z.boolean(),
  /** The participant has submitted a newer attempt. */
  isSuperseded: z.boolean(),
})
export type ReviewRow = z.output<typeof ReviewRow>

const ReviewClaim = z.extend(ReviewRow, {
  evidence: z.array(Evidence),
  signals: z.array(Signal),
  cluster: z.nullable(Cluster),
  appeal: z.nullable(z.object({ text: z.string(), at: z.string(), isAnswered: z.boolean() })),
  /** Covers all attempts of the participant. */
  timeline: z.array(TimelineEntry),
})
export type ReviewClaim = z.output<typeof ReviewClaim>

const ClaimParams = z.strictObject({ claimId: Uuid })

export const listClaims = endpoint('GET /review/claims', {
  access: 'admin',
  summary:
    'Claims for review, oldest or riskiest first; decided ones newest first. Searches by prefix of username, email, handle or wallet; `all` needs a search.',
  query: z
    .strictObject({
      filter: z._default(Filter, 'waiting'),
      risk: z.optional(Risk),
      search: z.optional(SearchText),
      sort: z._default(z.enum(['age', 'risk']), 'age'),
      /** `next` of the previous page. */
      cursor: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,300}$/, 'id_format'))),
      limit: wholeNumber(1, 100, 50),
    })
    .check(
      z.refine(({ filter, search }) => filter !== 'all' || search !== undefined, {
        error: 'required',
        path: ['search'],
      }),
    ),
  reply: z.object({
    data: z.array(ReviewRow),
    next: z.nullable(z.string()),
    /** The search matched too many claims to examine all of them. */
    isSearchCut: z.boolean(),
  }),
})

export const reviewSummary = endpoint('GET /review/summary', {
  access: 'admin',
  summary:
    'The number of claims per filter, with waiting claims also by risk, and the age of the oldest waiting claim.',
  reply: z.object({
    data: z.object({
      waiting: z.number(),
      flagged: z.number(),
      appealed: z.number(),
      decided: z.number(),
      waitingByRisk: z.object({ low: z.number(), medium: z.number(), high: z.number() }),
      oldestWaitingSince: z.nullable(z.string()),
    }),
  }),
})

export const reviewClaim = endpoint('GET /review/claims/:claimId', {
  access: 'admin',
  summary: 'One claim with its evidence, signals, cluster, appeal and timeline.',
  params: ClaimParams,
  reply: z.object({ data: ReviewClaim }),
  refusals: ['claim_not_found'],
})

export const lockClaim = endpoint('POST /review/claims/:claimId/lock', {
  access: 'admin',
  summary:
    'Lock a claim for two minutes, which starts its review, or renew the lock. In a 409, `by` is the administrator who holds it.',
  params: ClaimParams,
  reply: z.extend(MessageReply, { data: z.object({ until: z.string() }) }),
  refusals: ['claim_not_found', 'claim_locked', 'own_claim', 'campaign_archived'],
})

export const unlockClaim = endpoint('DELETE /review/claims/:claimId/lock', {
  access: 'admin',
  summary: "Release the caller's lock on a claim. Idempotent.",
  params: ClaimParams,
  reply: MessageReply,
})

export const MAX_REJECTION_TEXT_LENGTH = 500
const rejection = {
  reason: RejectionReason,
  /** Plain text shown to the participant with the reason. Required for `other`. */
  text: z._default(plainText(0, MAX_REJECTION_TEXT_LENGTH), ''),
}

export const rejectClaim = endpoint('POST /review/claims/:claimId/reject', {
  access: 'admin',
  summary:
    'Reject a claim with a reason, or uphold a rejection that was appealed. Its slot is kept for a day; final reasons (`same_person`, `automated`) free it immediately.',
  params: ClaimParams,
  body: z.strictObject({
    ...rejection,
    /** The reviewed revision (optimistic lock); defaults to the last one that the caller was shown. */
    revision: z.optional(Revision),
  }),
  reply: z.extend(MessageReply, { data: Task }),
  refusals: [
    'claim_not_found',
    'claim_approved',
    'claim_rejected',
    'claim_changed',
    'claim_locked',
    'own_claim',
    'campaign_archived',
  ],
})

export const undoDecision = endpoint('POST /review/claims/:claimId/undo', {
  access: 'admin',
  summary:
    'Undo the decision on a claim and reverse its credits. A rejected claim that lost its slot gets a free one ahead of the waiting list; if none is free it stays rejected and its participant is next in line.',
  params: ClaimParams,
  reply: z.extend(MessageReply, { data: Task }),
  refusals: [
    'claim_not_found',
    'claim_locked',
    'claim_superseded',
    'nothing_to_undo',
    'own_claim',
    'participant_banned',
    'slots_gone',
    ...PROOF_TAKEN,
    'campaign_archived',
  ],
})

export const MAX_BULK_CLAIMS = 100

const Outcome = z.object({
  claimId: z.string(),
  /** `done`, or the code of the refusal, such as `claim_held` for a claim to be decided individually. */
  outcome: z.string(),
  message: z.nullable(z.string()),
  /** With `claim_locked`: the name of the administrator who has locked the claim. */
  by: z.nullable(z.string()),
})
export type Outcome = z.output<typeof Outcome>

/** The reviewed revisions by claim id (optimistic lock); by default the last that the caller was shown. */
const revisions = z.optional(z.record(Uuid, Revision))

export const decideClaims = endpoint('POST /review/decisions', {
  access: 'admin',
  summary: 'Decide several claims independently; the reply lists their outcomes in the order of the request.',
  limits: [{ per: 'account', take: 60, seconds: 60 }],
  body: z.strictObject({
    decision: z.enum(['approve', 'reject']),
    claimIds: z.array(Uuid).check(z.minLength(1, 'required'), z.maxLength(MAX_BULK_CLAIMS, 'too_many')),
    revisions,
    /** Required to reject. */
    reason: z.optional(RejectionReason),
    text: rejection.text,
    /** Held claims are refused, unless they belong to this cluster. */
    clusterId: z.optional(Uuid),
  }),
  reply: z.object({ data: z.array(Outcome) }),
})

export const rejectCluster = endpoint('POST /review/clusters/:clusterId/reject', {
  access: 'admin',
  summary:
    'Reject the waiting claims of a cluster, oldest first and at most 100, and free the slots kept by its rejected claims, except those with an open appeal.',
  limits: [{ per: 'account', take: 60, seconds: 60 }],
  params: z.strictObject({ clusterId: Uuid }),
  body: z.strictObject({
    reason: z.enum(FINAL_REASONS),
    text: rejection.text,
    revisions,
  }),
  reply: z.object({
    data: z.object({
      outcomes: z.array(Outcome),
      /** Slots freed, including those of the claims rejected by this call. */
      freed: z.number(),
      /** Claims of the cluster still waiting. */
      left: z.number(),
    }),
  }),
  refusals: ['cluster_not_found'],
})
