import type { SignalKind } from '#contract/signals.ts'
import { DISPOSABLE_LIST_DATE } from './disposable.ts'
import { COUNTED } from './weights.ts'

/** What a signal's words are made of. */
export type Facts = { others?: number; seconds?: number; domain?: string; busy?: boolean }

/** Why each signal is there, for reviewers and for the participant alike: it names nobody else. */
export function reasonOf(kind: SignalKind, facts: Facts): string {
  return REASONS[kind](facts)
}

const REASONS: Record<SignalKind, (facts: Facts) => string> = {
  'email-twin': ({ others }) => `The e-mail is another spelling of that of ${accounts(others)}.`,
  'reused-proof': ({ others }) =>
    `The wallet, a handle or the post is in a claim of ${accounts(others)} as well.`,
  'same-text': ({ others }) => `The words of the post are nearly the same as those of ${accounts(others)}.`,
  'disposable-email': ({ domain }) =>
    `The e-mail is at ${domain}, which hands out throw-away addresses (list of ${DISPOSABLE_LIST_DATE}).`,
  'shared-network': ({ others, busy }) =>
    `Within an hour, ${accounts(others)} signed up or claimed from the same network.${busy ? ' Many people use that network.' : ''}`,
  'referral-ring': () => 'Inviter and invited have more in common than the invitation.',
  'quick-proof': ({ seconds }) => `Only ${seconds} seconds passed from sign-up to proof.`,
  'referral-star': ({ others }) =>
    `Within an hour, ${accounts(others)} invited by the same person claimed as well.`,
}

function accounts(count = 1): string {
  if (count > COUNTED) return `more than ${COUNTED} other accounts`
  return count === 1 ? 'another account' : `${count} other accounts`
}

/** What joins the accounts of a cluster. */
export const JOINED_BY: Partial<Record<SignalKind, string>> = {
  'email-twin': 'Their e-mails are spellings of one another.',
  'reused-proof': 'A wallet, handle or post of one is in a claim of another.',
  'same-text': 'The words of their posts are nearly the same.',
  'shared-network': 'They signed up or claimed from the same network within an hour.',
}
