import { LEADERBOARD as LEADERBOARD_MESSAGES } from '#messages/leaderboard.js'
/** Texts of the leaderboard. */
export const LEADERBOARD = {
  ...LEADERBOARD_MESSAGES,
  medals: ['Gold medal', 'Silver medal', 'Bronze medal'],
}
