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
  'email-alias': ({ others }) => `The email address is a variant of the one used by ${accounts(others)}.`,
  'reused-proof': ({ others }) =>
    `The wallet, a handle or the post also appears in a claim by ${accounts(others)}.`,
  'same-text': ({ others }) => `The post’s text is nearly identical to one by ${accounts(others)}.`,
  'disposable-email': ({ domain }) =>
    `The email address is at ${domain}, which offers disposable addresses (list of ${DISPOSABLE_LIST_DATE}).`,
  'shared-network': ({ others, busy }) =>
    `Within an hour, ${accounts(others)} signed up or claimed from the same network.${busy ? ' Many people share that network.' : ''}`,
  'referral-ring': () => 'The inviting and the invited account have more in common than the invitation.',
  'quick-proof': ({ seconds }) =>
    `The proof was submitted only ${seconds} ${Number(seconds) === 1 ? 'second' : 'seconds'} after sign-up.`,
  'referral-star': ({ others }) =>
    `Within an hour, ${accounts(others)} invited by the same person also claimed.`,
}

function accounts(count = 1): string {
  if (count > COUNTED) return `more than ${COUNTED} other accounts`
  return count === 1 ? 'another account' : `${count} other accounts`
}

/** What joins the accounts of a cluster. */
export const JOINED_BY: Partial<Record<SignalKind, string>> = {
  'email-alias': 'Their email addresses are variants of the same one.',
  'reused-proof': 'They used the same wallet, handle or post in their claims.',
  'same-text': 'The texts of their posts are nearly identical.',
  'shared-network': 'They signed up or claimed from the same network within an hour.',
}
