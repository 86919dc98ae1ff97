import type { SignalKind } from '#contract/signals.ts'

/**
 * What each signal weighs. A claim is held from 60 (`HOLD_THRESHOLD` of the contract): by one signal alone only
 * where that is next to proof. People who share a hostel's network, were invited by the same friend and
 * were quick weigh 55 together: that happens to honest people.
 */
export const WEIGHTS: Record<SignalKind, number> = {
  'email-twin': 60,
  'reused-proof': 60,
  'same-text': 30,
  'disposable-email': 20,
  'shared-network': 15,
  'referral-ring': 15,
  'quick-proof': 15,
  'referral-star': 10,
}

/** A network that many come from says next to nothing about any of them. */
export const BUSY_NETWORK_WEIGHT = 5

/** Others beyond these are not counted; the words say "more than". */
export const COUNTED = 20
/** From so many accounts around one day on, a network is a public one: a campus, a carrier. */
export const BUSY_FROM = 20
/** Seconds from sign-up to proof that hardly are enough for four tasks. */
export const QUICK = 120
/** So many claims of one person's invited within an hour make a star. */
export const STAR_FROM = 5
