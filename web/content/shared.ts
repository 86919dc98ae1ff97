/** What points are called: those in the token, and those in the chain's own coin. */
export const pointsIn = (symbol: string) => `${symbol} Points`

/** Words that several screens of the application share. */
export const SHARED_WORDS = {
  notices: 'Notices',
  missing: 'This screen could not be loaded',
  missingWhy: 'Nobody answers right now. It may be your connection, or the site is about to be back.',
  again: 'Try again',
} as const
