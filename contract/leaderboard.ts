import * as z from 'zod/mini'
import { endpoint } from './protocol/endpoint.ts'
import { Pagination } from './entities.ts'
import { MAX_PAGE, wholeNumber } from './protocol/parameters.ts'

export const LeaderboardEntry = z.object({
  rank: z.number(),
  username: z.string(),
  /** Masked, even for its owner: `al•••@mail.example`. */
  email: z.string(),
  /** Points in the token; `plsPoints` are in the chain's coin. */
  pfPoints: z.number(),
  plsPoints: z.number(),
  referralReward: z.number(),
  /** pfPoints + plsPoints + referralReward. */
  totalPoints: z.number(),
})
export type LeaderboardEntry = z.output<typeof LeaderboardEntry>

export const leaderboard = endpoint('GET /users/leaderboard', {
  access: 'public',
  cache: 'public',
  summary: 'Participants by points, except banned ones; ties go to whoever reached them first.',
  query: z.strictObject({ page: wholeNumber(1, MAX_PAGE, 1), limit: wholeNumber(1, 100, 10) }),
  reply: z.object({ data: z.array(LeaderboardEntry), pagination: Pagination }),
})
