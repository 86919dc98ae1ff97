import * as contract from '#contract/leaderboard.ts'
import type { Deps } from '#server/deps.ts'
import { publicRoute, type Route } from '#server/platform/http/route.ts'
import { readBoard } from './read-board.ts'

export const leaderboardRoutes = (deps: Deps): Route[] => [
  publicRoute(contract.leaderboard, ({ query }) =>
    deps.publicReads.read((db) => readBoard(db, deps.campaign.id, query)),
  ),
]
