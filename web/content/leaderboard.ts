/** Texts of the leaderboard. */
export const LEADERBOARD = {
  title: 'Leaderboard',
  lead: 'Everyone with a verified email, ranked by points. Ties go to whoever got there first.',
  rank: 'Rank',
  user: 'User',
  referrals: 'Ref',
  total: 'Total',
  medals: ['Gold medal', 'Silver medal', 'Bronze medal'],
  empty: 'No users found yet.',
  emptyLink: 'Be the first: join the airdrop',
  loading: 'Loading...',
  failed: 'Failed to load leaderboard',
  again: 'Try again',
  pages: {
    nav: 'Pages of the leaderboard',
    previous: 'Prev',
    next: 'Next',
    place: (current: number, total: number) => `Page ${current} of ${total}`,
  },
} as const
