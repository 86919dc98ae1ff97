import type { SignalKind } from '#contract/claims/signals.ts'

/**
 * A claim is held from a risk of 60 (`HOLD_THRESHOLD` in the contract). A single signal weighs that much only
 * if it is close to proof. Honest friends in a hostel who invite one another and are quick stay at 55.
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

export const BUSY_NETWORK_WEIGHT = 5

/** How many accounts are counted for one signal; if there are more, the text says so. */
export const MAX_COUNTED = 20
/** How many accounts are read for one signal: one more than is counted, to know whether there are more. */
export const MAX_ACCOUNTS_READ = MAX_COUNTED + 1
/** A network that so many others use within 12 hours is busy, like that of a campus or a carrier. */
export const MIN_BUSY_ACCOUNTS = 20
/** A claim made sooner than this after the registration is quick: hardly enough time for the tasks. */
export const QUICK_SECONDS = 120
/** A claim is part of a star if so many others, invited by the same person, claim within an hour of it. */
export const MIN_STAR_CLAIMS = 5
