import { type RawBuilder, sql } from 'kysely'
import type { reviewSummary, Risk } from '#contract/dashboard/review.ts'
import type { ReplyOf } from '#contract/protocol/endpoint.ts'
import type { Deps } from '#server/deps.ts'
import { countClaims } from '../claims/claim-counts.ts'
import { IS_FLAGGED, IS_IN_BAND } from './risk-bands.ts'

type Summary = ReplyOf<typeof reviewSummary>['data']

export async function readSummary({ db, campaign }: Deps): Promise<Summary> {
  const { rows } = await filterCounts(campaign.id).execute(db)
  const [counts] = rows
  if (!counts) throw new Error('count returned no row')
  const { low, medium, high, oldest, ...filters } = counts
  const oldestWaitingSince = oldest?.toISOString() ?? null
  return { ...filters, waitingByRisk: { low, medium, high }, oldestWaitingSince }
}

type FilterCounts = Record<'waiting' | Risk | 'flagged' | 'appealed' | 'decided', number> & {
  oldest: Date | null
}

/** Uses the indexes `appeals_open` and `claims_waiting`. */
const filterCounts = (campaignId: string): RawBuilder<FilterCounts> => {
  const count = (condition: RawBuilder<boolean>) => countClaims(campaignId, condition)
  const waitingIn = (risk: Risk) => count(sql`not is_decided and ${IS_IN_BAND[risk]}`)
  return sql`
    select ${count(sql`not is_decided`)} as waiting, ${count(sql`not is_decided and ${IS_FLAGGED}`)} as flagged,
      ${waitingIn('low')} as low, ${waitingIn('medium')} as medium, ${waitingIn('high')} as high,
      ${count(sql`is_decided`)} as decided,
      (select count(*) from appeals where campaign_id = ${campaignId} and answered_at is null) as appealed,
      (select min(submitted_at) from claims where campaign_id = ${campaignId} and decided_at is null) as oldest`
}
