import type { ClaimsChanged } from './dashboard/review.ts'

/**
 * Server-sent events at `GET /api/v1/events`: those of the topics in `?topics=slots,leaderboard`, or of all
 * public topics. A node at its limit of open streams replies 204, and the client asks again later. Not an
 * endpoint, because the reply never ends.
 */
export const EVENTS_PATH = '/api/v1/events'

/** The JSON in the `data` line, by topic. */
export type Events = {
  /** The latest block; null while the chain is unreachable. */
  heartbeat: { block: number | null }
  /** `left` of all `total` slots are free. */
  slots: { total: number; left: number; isPaused: boolean }
  /** The leaderboard changed; `version` increases with each event of a node. */
  leaderboard: { version: number }
  /** The chain was asked about the token's claims, last at `checkedAt`; null before the first time. */
  proofs: { checkedAt: string | null }
  /** For reviewers only, at `REVIEW_EVENTS_PATH`. */
  claims: ClaimsChanged
}

export type Topic = keyof Events
