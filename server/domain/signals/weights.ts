import type { SignalKind } from '#contract/claims/signals.ts'

/**
 * A claim is held from a risk of 60 (`HOLD_THRESHOLD`). A single signal weighs that much only if it nearly
 * proves that accounts are one person's. Honest, quick friends in a hostel who invite one another stay at 55.
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

export const BUSY_NETWORK_WEIGHT = 5 // of `shared-network`, if the network is busy

/** Accounts per signal. Above this number, the text says “more than”. */
export const MAX_COUNTED = 20
/** One more than is counted, to know whether there are more. */
export const MAX_ACCOUNTS_READ = MAX_COUNTED + 1
/** A network with this many other users within 12 hours is busy, such as a campus's or a carrier's. */
export const MIN_BUSY_ACCOUNTS = 20
/** From registration to claim: hardly enough time for the tasks. */
export const QUICK_SECONDS = 120
/** A claim is part of a star if this many others with the same inviter claim within an hour of it. */
export const MIN_STAR_CLAIMS = 5
