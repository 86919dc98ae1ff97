import { sql } from 'kysely'
import type { reviewSummary, Risk } from '#contract/review.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { IS_IN_BAND } from './risk-bands.ts'

type Summary = ReplyOf<typeof reviewSummary>['data']

/** Counts for each filter, and the oldest waiting claim; all from index-only scans. */
export async function readSummary({ db, campaign }: Deps): Promise<Summary> {
  const { rows } = await sql<
    Record<'waiting' | Risk | 'flagged' | 'appealed' | 'decided', number> & {
      oldest: Date | null
    }
  >`
    select waiting.*,
      (select count(*) from appeals where campaign_id = ${campaign.id} and answered_at is null) as appealed,
      (select count(*) from claims where campaign_id = ${campaign.id} and decided_at is not null) as decided,
      (select min(submitted_at) from claims where campaign_id = ${campaign.id} and decided_at is null) as oldest
    from (
      select count(*) as waiting, count(*) filter (where risk_order < 0) as flagged,
        count(*) filter (where ${IS_IN_BAND.low}) as low, count(*) filter (where ${IS_IN_BAND.medium}) as medium,
        count(*) filter (where ${IS_IN_BAND.high}) as high
      from claims where campaign_id = ${campaign.id} and decided_at is null) waiting`.execute(db)
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
