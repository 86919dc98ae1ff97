import type { ClaimNews } from './review.ts'

/**
 * Server-sent events at `GET /api/v1/events`. Over a node's cap of open streams the answer is 204
 * and a client polls instead. A stream is not an {@link Endpoint}: its reply never ends.
 */
export const EVENTS_PATH = '/api/v1/events'

/** What each topic's `data` line holds, as JSON. */
export type Events = {
  /** The chain made a block; `block` is null while the chain cannot be reached. */
  heartbeat: { block: number | null }
  slots: { total: number; left: number }
  /** The board changed; fetch it again. */
  leaderboard: { version: number }
  /** For reviewers only, at a path of its own. */
  claims: ClaimNews
}

export type Topic = keyof Events
