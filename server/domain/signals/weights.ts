import type { SignalKind } from '#contract/claims/signals.ts'

/**
 * A claim is held from 60 (`HOLD_THRESHOLD` in the contract); a single signal reaches that only if it is
 * close to proof. Honest friends in a hostel who invite one another and are quick stay at 55.
 */
export const WEIGHTS: Record<SignalKind, number> = {
  'email-alias': 60,
  'reused-proof': 60,
  'same-text': 30,
  'disposable-email': 20,
  'shared-network': 15,
  'referral-ring': 15,
  'quick-proof': 15,
  'referral-star': 10,
}

/** Weight of a shared network that many people use. */
export const BUSY_NETWORK_WEIGHT = 5

/** How many accounts are counted for one signal; if there are more, the text says so. */
export const MAX_COUNTED = 20
/** How many accounts are read for one signal: one more than is counted, to know whether there are more. */
export const MAX_ACCOUNTS_READ = MAX_COUNTED + 1
/** From so many others within 12 hours, a network counts as busy, like that of a campus or a carrier. */
export const MIN_BUSY_ACCOUNTS = 20
/** A claim made sooner than this after the registration is quick: hardly enough time for the tasks. */
export const QUICK_SECONDS = 120
/** From so many claims by others whom the same person invited, within an hour, a claim is part of a star. */
export const MIN_STAR_CLAIMS = 5
