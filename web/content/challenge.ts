/** Shown while the device does a little work, because many calls came from its network. */
export const CHALLENGE_WORDS = {
  explanation:
    'Many people share your network. So that you need not wait, your device solves a small puzzle; it takes a moment.',
  progress: 'Puzzle solved',
  percent: (done: number) => `${Math.floor(done * 100)}%`,
} as const
