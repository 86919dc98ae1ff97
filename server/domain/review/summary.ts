import { type RawBuilder, sql } from 'kysely'
import type { reviewSummary, Risk } from '#contract/review.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { IS_IN_BAND } from './risk-bands.ts'

type Summary = ReplyOf<typeof reviewSummary>['data']

/** Counts for each filter, and the oldest waiting claim. */
export async function readSummary({ db, campaign }: Deps): Promise<Summary> {
  const { rows } = await filterCounts(campaign.id).execute(db)
  const [counts] = rows
  if (!counts) throw new Error('count returned no row')
  const { waiting, low, medium, high, flagged, appealed, decided, oldest } = counts
  return {
    waiting,
    flagged,
    appealed,
    decided,
    waitingByRisk: { low, medium, high },
    oldestWaitingSince: oldest?.toISOString() ?? null,
  }
}

type FilterCounts = Record<'waiting' | Risk | 'flagged' | 'appealed' | 'decided', number> & {
  oldest: Date | null
}

/**
 * Query that counts every filter from indexes alone: claims_waiting_by_risk, claims_decided and appeals_open. The
 * oldest is the first of claims_waiting.
 */
const filterCounts = (campaignId: string): RawBuilder<FilterCounts> => sql`
  select waiting.*,
    (select count(*) from appeals where campaign_id = ${campaignId} and answered_at is null) as appealed,
    (select count(*) from claims where campaign_id = ${campaignId} and decided_at is not null) as decided,
    (select min(submitted_at) from claims where campaign_id = ${campaignId} and decided_at is null) as oldest
  from (
    select count(*) as waiting, count(*) filter (where risk_order < 0) as flagged,
      count(*) filter (where ${IS_IN_BAND.low}) as low, count(*) filter (where ${IS_IN_BAND.medium}) as medium,
      count(*) filter (where ${IS_IN_BAND.high}) as high
    from claims where campaign_id = ${campaignId} and decided_at is null) waiting`
