/** What points are called: those in the token, and those in the chain's own coin. */
export const pointsIn = (symbol: string) => `${symbol} Points`

/** Words that several screens of the application share. */
export const SHARED_WORDS = {
  notices: 'Notices',
  missing: 'This screen could not be loaded',
  missingWhy: 'The server isn’t responding. Check your connection, or try again shortly.',
  again: 'Try again',
} as const
