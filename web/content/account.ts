import { CHALLENGE_WORDS as CHALLENGE_WORDS_MESSAGES } from '#messages/account.js'

/** Shown during proof of work, when the rate limit of the network is spent. */
export const CHALLENGE_WORDS = {
  ...CHALLENGE_WORDS_MESSAGES,
  percent: (done: number) => `${Math.floor(done * 100)}%`,
}
