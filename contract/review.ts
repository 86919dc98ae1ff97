import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Evidence } from './evidence.ts'
import { FINAL_REASONS, Rejection, RejectionReason, TimelineEntry } from './claim-history.ts'
import { ClaimStatus, Revision, Task, MessageReply } from './entities.ts'
import { Uuid, wholeNumber } from './parameters.ts'
import { plainText } from './plain-text.ts'
import { Cluster, HOLD_FROM, Signal } from './signals.ts'

/**
 * News for reviewers as server-sent events, for administrators by bearer (read with `fetch`). The event is
 * `claims`, its data {@link ClaimNews}. Over the cap of a node, or of one administrator on it, the answer is 204 and a
 * client polls.
 */
export const REVIEW_EVENTS_PATH = '/api/v1/review/events'

/** `claims`: the ids of what changed; null when anything may have. `version` grows with every event of a node. */
export type ClaimNews = { version: number; claims: string[] | null }

/** From this risk on a claim counts as medium or high. */
export const RISK_FROM = { medium: HOLD_FROM / 2, high: HOLD_FROM } as const
const Risk = z.enum(['low', 'medium', 'high'])
export type Risk = z.output<typeof Risk>

/** `flagged`: waiting, and with a risk; `appealed`: with an appeal that nobody answered. */
const Filter = z.enum(['waiting', 'flagged', 'appealed', 'decided'])
export type ReviewFilter = z.output<typeof Filter>

/** How long a claim stays with a reviewer who does not renew the lock. */
export const LOCK_SECONDS = 120

const Lock = z.object({
  /** The administrator's name. */
  by: z.string(),
  isMine: z.boolean(),
  until: z.string(),
})

/** One line of the desk. Times are ISO. */
const ReviewRow = z.object({
  _id: z.string(),
  attempt: z.number(),
  status: ClaimStatus,
  username: z.string(),
  email: z.string(),
  wallet: z.string(),
  telegram: z.string(),
  twitter: z.string(),
  retweetLink: z.string(),
  /** Of the proof; a decision names the one that was seen. */
  revision: z.string(),
  submittedAt: z.string(),
  /** The sum of the signals' weights; at least 1 of a claim that is held. */
  risk: z.number(),
  riskBand: Risk,
  /** Why it is held, a sentence each. */
  heldFor: z.array(z.string()),
  hasOpenAppeal: z.boolean(),
  lock: z.nullable(Lock),
  decidedAt: z.nullable(z.string()),
  /** The administrator's name. */
  decidedBy: z.nullable(z.string()),
  rejection: z.nullable(Rejection),
  /** The caller's own claim: others decide it. */
  isOwn: z.boolean(),
  /** The participant sent a newer attempt. */
  isSuperseded: z.boolean(),
})
export type ReviewRow = z.output<typeof ReviewRow>

const ReviewClaim = z.extend(ReviewRow, {
  evidence: z.array(Evidence),
  signals: z.array(Signal),
  /** The accounts that signals join to this one. */
  cluster: z.nullable(Cluster),
  appeal: z.nullable(z.object({ text: z.string(), at: z.string(), isAnswered: z.boolean() })),
  /** Of all attempts of this participant. */
  timeline: z.array(TimelineEntry),
})
export type ReviewClaim = z.output<typeof ReviewClaim>

const claimId = z.strictObject({ claimId: Uuid })

export const listClaims = endpoint({
  method: 'GET',
  path: '/review/claims',
  access: 'admin',
  summary:
    'Claims for the desk, from the oldest, or from the riskiest; decided ones from the latest. Search finds the beginning of a name, e-mail, handle or wallet.',
  query: z.strictObject({
    filter: z._default(Filter, 'waiting'),
    risk: z.optional(Risk),
    search: z.optional(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(2, 'search_short'),
          z.maxLength(320, 'text_long'),
          z.regex(/^\P{Cc}*$/u, 'text_format'),
        ),
    ),
    sort: z._default(z.enum(['age', 'risk']), 'age'),
    /** `next` of the page before. */
    cursor: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,300}$/, 'id_format'))),
    limit: wholeNumber(1, 100, 50),
  }),
  reply: {
    status: 200,
    body: z.object({
      data: z.array(ReviewRow),
      next: z.nullable(z.string()),
      /** The search fits so many that not all were looked at: type more of it. */
      isSearchCut: z.boolean(),
    }),
  },
  refusals: [],
})

export const reviewSummary = endpoint({
  method: 'GET',
  path: '/review/summary',
  access: 'admin',
  summary: 'How many claims each filter has, those that wait also by risk, and since when the oldest waits.',
  reply: {
    status: 200,
    body: z.object({
      data: z.object({
        waiting: z.number(),
        flagged: z.number(),
        appealed: z.number(),
        decided: z.number(),
        waitingByRisk: z.object({ low: z.number(), medium: z.number(), high: z.number() }),
        oldestWaitingSince: z.nullable(z.string()),
      }),
    }),
  },
  refusals: [],
})

export const reviewClaim = endpoint({
  method: 'GET',
  path: '/review/claims/:claimId',
  access: 'admin',
  summary: 'One claim with its evidence, signals, cluster, appeal and timeline.',
  params: claimId,
  reply: { status: 200, body: z.object({ data: ReviewClaim }) },
  refusals: ['claim_not_found'],
})

export const lockClaim = endpoint({
  method: 'POST',
  path: '/review/claims/:claimId/lock',
  access: 'admin',
  summary: 'Take a claim for two minutes, or renew that; starts its review. `by` of a 409 names who has it.',
  params: claimId,
  reply: { status: 200, body: z.extend(MessageReply, { data: z.object({ until: z.string() }) }) },
  refusals: ['claim_not_found', 'claim_locked', 'own_claim'],
})

export const unlockClaim = endpoint({
  method: 'DELETE',
  path: '/review/claims/:claimId/lock',
  access: 'admin',
  summary: 'Let a claim go; one that the caller does not hold stays as it is.',
  params: claimId,
  reply: { status: 200, body: MessageReply },
  refusals: [],
})

export const REASON_LENGTH = 500
const rejection = {
  reason: RejectionReason,
  /** What the participant reads besides the reason: plain text. Needed with `other`. */
  text: z._default(plainText(0, REASON_LENGTH), ''),
}

export const rejectClaim = endpoint({
  method: 'POST',
  path: '/review/claims/:claimId/reject',
  access: 'admin',
  summary:
    'Reject a claim with a reason; its slot is kept for a day, or free at once where nothing can be corrected (`same_person`, `automated`). With an open appeal, uphold the rejection.',
  params: claimId,
  body: z.strictObject({
    ...rejection,
    /** The revision that was seen; without it, the last that a list or card showed to the caller. */
    revision: z.optional(Revision),
  }),
  reply: { status: 200, body: z.extend(MessageReply, { data: Task }) },
  refusals: [
    'claim_not_found',
    'claim_approved',
    'claim_rejected',
    'claim_changed',
    'claim_locked',
    'own_claim',
  ],
})

export const undoDecision = endpoint({
  method: 'POST',
  path: '/review/claims/:claimId/undo',
  access: 'admin',
  summary:
    'Take the decision about a claim back, with all points that it credited. A rejected claim whose slot is gone gets a free one before the waiting list; where there is none it stays rejected, and its participant waits before everybody else.',
  params: claimId,
  reply: { status: 200, body: z.extend(MessageReply, { data: Task }) },
  refusals: [
    'claim_not_found',
    'claim_locked',
    'claim_superseded',
    'nothing_to_undo',
    'own_claim',
    'slots_gone',
    'wallet_taken',
    'handle_taken',
    'post_taken',
  ],
})

/** How many claims one call decides at most. */
export const BULK_LIMIT = 100

/** What became of one of several claims. */
const Outcome = z.object({
  claimId: z.string(),
  /** `done`, else the code of the refusal: a claim that is held is decided by itself (`claim_held`). */
  outcome: z.string(),
  /** The refusal in words. */
  message: z.nullable(z.string()),
  by: z.nullable(z.string()),
})
export type Outcome = z.output<typeof Outcome>

export const decideClaims = endpoint({
  method: 'POST',
  path: '/review/decisions',
  access: 'admin',
  summary: 'Decide several claims, each by itself; the reply tells the outcome of each in the order given.',
  limits: [{ per: 'account', take: 60, seconds: 60 }],
  body: z.strictObject({
    decision: z.enum(['approve', 'reject']),
    claimIds: z.array(Uuid).check(z.minLength(1, 'required'), z.maxLength(BULK_LIMIT, 'too_many')),
    /** Of each claim the revision that was seen, by its id; without one, the last that a list or card showed to the caller. */
    revisions: z.optional(z.record(Uuid, Revision)),
    /** Needed to reject. */
    reason: z.optional(RejectionReason),
    text: rejection.text,
    /** Decides claims that are held as well, where this cluster joins them. */
    clusterId: z.optional(Uuid),
  }),
  reply: {
    status: 200,
    body: z.object({
      data: z.array(Outcome),
    }),
  },
  refusals: [],
})

export const rejectCluster = endpoint({
  method: 'POST',
  path: '/review/clusters/:clusterId/reject',
  access: 'admin',
  summary:
    'Reject every claim of a cluster that waits, the oldest first and a hundred at most, and free the slots that its rejected claims keep; those with an open appeal keep theirs.',
  limits: [{ per: 'account', take: 60, seconds: 60 }],
  params: z.strictObject({ clusterId: Uuid }),
  body: z.strictObject({
    reason: z.enum(FINAL_REASONS),
    text: rejection.text,
    /** Of each claim the revision that was seen, by its id; without one, the last that a list or card showed to the caller. */
    revisions: z.optional(z.record(Uuid, Revision)),
  }),
  reply: {
    status: 200,
    body: z.object({
      data: z.object({
        outcomes: z.array(Outcome),
        /** Slots that are free again, those of the claims rejected just now included. */
        freed: z.number(),
        /** Claims of the cluster that still wait. */
        left: z.number(),
      }),
    }),
  },
  refusals: ['cluster_not_found'],
})
