import type { ClaimsChanged } from './dashboard/review.ts'

/**
 * Server-sent events at `GET /api/v1/events`, by default of all public topics; `?topics=slots,leaderboard`
 * selects some. At its limit of open streams, a node replies 204 and the client asks again later. Not an
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
  /** The token's claims were last checked on the chain at `checkedAt`; null before the first check. */
  proofs: { checkedAt: string | null }
  /** For reviewers only, at `REVIEW_EVENTS_PATH`. */
  claims: ClaimsChanged
}

export type Topic = keyof Events
