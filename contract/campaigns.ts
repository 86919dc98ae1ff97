import * as z from 'zod/mini'
import { Asset, Bytes32 } from './allocation.ts'
import { Pagination } from './entities.ts'
import { LeaderboardEntry } from './leaderboard.ts'
import { STAGES } from './phase.ts'
import { endpoint } from './protocol/endpoint.ts'
import { CampaignId, MAX_PAGE, wholeNumber } from './protocol/parameters.ts'

/** The results of a campaign that has ended; at most half a minute old. */
export const Results = z.object({
  claimed: z.number(),
  approved: z.number(),
  undecided: z.number(),
  /** Appeals that wait for an answer. */
  appeals: z.number(),
  /** Whether the campaign is archived: nothing can be decided or appealed any more. */
  isFinal: z.boolean(),
  points: z.object({ pf: z.number(), pls: z.number(), referral: z.number() }),
  payout: z.nullable(
    z.object({
      root: Bytes32,
      frozenAt: z.string(),
      recipients: z.number(),
      /** How many recipients (`wallets`) `of` how many are paid in full; null if the chain cannot tell. */
      paid: z.record(Asset, z.nullable(z.object({ wallets: z.number(), of: z.number() }))),
    }),
  ),
})
export type Results = z.output<typeof Results>

export const CampaignRecord = z.object({
  id: z.string(),
  name: z.string(),
  token: z.object({ name: z.string(), symbol: z.string() }),
  coin: z.object({ symbol: z.string() }),
  opensAt: z.string(),
  closesAt: z.nullable(z.string()),
  slots: z.object({ total: z.number(), left: z.number() }),
  stage: z.enum(STAGES),
  isCurrent: z.boolean(),
  archivedAt: z.nullable(z.string()),
  /** Null until the campaign is over. */
  results: z.nullable(Results),
})
export type CampaignRecord = z.output<typeof CampaignRecord>

export const campaigns = endpoint('GET /campaigns', {
  access: 'public',
  cache: 'public',
  summary: 'All campaigns of this site with their results, the newest first.',
  reply: z.object({ data: z.array(CampaignRecord) }),
})

export const campaignRecord = endpoint('GET /campaigns/:id', {
  access: 'public',
  cache: 'public',
  summary: 'A campaign of this site with its results.',
  params: z.strictObject({ id: CampaignId }),
  reply: z.object({ data: CampaignRecord }),
  refusals: ['campaign_not_found'],
})

export const campaignLeaderboard = endpoint('GET /campaigns/:id/leaderboard', {
  access: 'public',
  cache: 'public',
  summary: 'The leaderboard of a campaign, the current one or an earlier one.',
  params: z.strictObject({ id: CampaignId }),
  query: z.strictObject({ page: wholeNumber(1, MAX_PAGE, 1), limit: wholeNumber(1, 100, 10) }),
  reply: z.object({ data: z.array(LeaderboardEntry), pagination: Pagination }),
  refusals: ['campaign_not_found'],
})

export const ownCampaigns = endpoint('GET /users/campaigns', {
  access: 'participant',
  summary: 'What the caller earned in earlier campaigns, the newest first; only those with points.',
  reply: z.object({
    data: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        rank: z.nullable(z.number()),
        totalPoints: z.number(),
        /** Whether the campaign's allocation is frozen. */
        isFrozen: z.boolean(),
      }),
    ),
  }),
})
