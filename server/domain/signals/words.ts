import type { SignalKind } from '#contract/claims/signals.ts'
import { DISPOSABLE_LIST_DATE } from './disposable.ts'
import { COUNTED } from './weights.ts'

/** The values that a signal's text contains. */
export type Facts = { others?: number; seconds?: number; domain?: string; busy?: boolean }

/** The reason for a signal, shown to reviewers and the participant; it never names anyone else. */
export function reasonOf(kind: SignalKind, facts: Facts): string {
  return REASONS[kind](facts)
}

const REASONS: Record<SignalKind, (facts: Facts) => string> = {
  'email-alias': ({ others }) => `The email is another spelling of the email of ${accounts(others)}.`,
  'reused-proof': ({ others }) =>
    `The wallet, a handle or the post also appears in a claim by ${accounts(others)}.`,
  'same-text': ({ others }) => `The text of the post is nearly the same as that of ${accounts(others)}.`,
  'disposable-email': ({ domain }) =>
    `The email is at ${domain}, which provides disposable addresses (list of ${DISPOSABLE_LIST_DATE}).`,
  'shared-network': ({ others, busy }) =>
    `Within an hour, ${accounts(others)} signed up or claimed from the same network.${busy ? ' Many people share that network.' : ''}`,
  'referral-ring': () => 'The inviter and the invited person have more in common than the invitation.',
  'quick-proof': ({ seconds }) =>
    `Only ${seconds} ${Number(seconds) === 1 ? 'second' : 'seconds'} passed between sign-up and proof.`,
  'referral-star': ({ others }) =>
    `Within an hour, ${accounts(others)} invited by the same person also claimed.`,
}

function accounts(count = 1): string {
  if (count > COUNTED) return `more than ${COUNTED} other accounts`
  return count === 1 ? 'another account' : `${count} other accounts`
}

/** What joins the accounts of a cluster. */
export const JOINED_BY: Partial<Record<SignalKind, string>> = {
  'email-alias': 'Their emails are spellings of the same address.',
  'reused-proof': 'A wallet, handle or post of one also appears in a claim by another.',
  'same-text': 'The text of their posts is nearly the same.',
  'shared-network': 'They signed up or claimed from the same network within an hour.',
}
