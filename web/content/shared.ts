/** Words that several screens of the application share. */
export const SHARED_WORDS = {
  notices: 'Notices',
  missing: 'This screen could not be loaded',
  missingWhy: 'Nobody answers right now. It may be your connection, or the site is about to be back.',
  again: 'Try again',
} as const
