/** Names of the points: those in the token, and those in the chain's native coin. */
export const pointsIn = (symbol: string) => `${symbol} Points`

/** Texts that several screens share. */
export const SHARED_WORDS = {
  notices: 'Notices',
  missing: 'This screen could not be loaded',
  missingWhy: 'The server isn’t responding. Check your connection, or try again shortly.',
  again: 'Try again',
} as const
