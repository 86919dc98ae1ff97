/** Shown during proof of work, when the rate limit of the network is spent. */
export const CHALLENGE_WORDS = {
  explanation:
    'Many people share your network. To avoid a wait, your device will solve a small puzzle. It takes a moment.',
  progress: 'Puzzle solved',
  percent: (done: number) => `${Math.floor(done * 100)}%`,
} as const
