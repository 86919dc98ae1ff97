/** Words that several screens of the application share. */
export const SHARED_WORDS = {
  notices: 'Notices',
} as const
