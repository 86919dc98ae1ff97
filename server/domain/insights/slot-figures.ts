import { sql } from 'kysely'
import { CLUSTER_SIZES, type InsightRow, type Insights } from '#contract/dashboard/insights.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sumByPart, sumByPeriod } from './counts.ts'
import { addDays, periodsOf, type ReadTable } from './range.ts'

const MEASURES = ['slots', 'waiting_list'] as const
/** Before any campaign. */
const BEGINNING = '2000-01-01'

/** `held` and `waiting` are the slots in use and the people waiting at the end of a period. */
export const readSlotFigures: ReadTable<'slots'> = async (db, campaignId, range) => {
  const query = { campaignId, measures: MEASURES }
  const earlierSums = await sumByPart(db, query, { from: BEGINNING, to: addDays(range.from, -1) })
  const sums = await sumByPeriod(db, query, range, { partWord: 1 }) // such as `taken`
  const sumOf = (counts: readonly { part: string; amount: number }[], part: string) =>
    counts.filter((count) => count.part === part).reduce((sum, { amount }) => sum + amount, 0)
  let inUse = sumOf(earlierSums, 'taken') - sumOf(earlierSums, 'freed')
  let waiting = sumOf(earlierSums, 'joined') - sumOf(earlierSums, 'left')
  return periodsOf(range).map((day) => {
    const ofPeriod = sums.filter((sum) => sum.day === day)
    const [taken, freed] = [sumOf(ofPeriod, 'taken'), sumOf(ofPeriod, 'freed')]
    inUse += taken - freed
    waiting += sumOf(ofPeriod, 'joined') - sumOf(ofPeriod, 'left')
    return { day, taken, freed, held: inUse, waiting }
  })
}

/**
 * The current clusters of linked accounts by size. Reads the index `clusters_members` once, and each member's
 * live claim with the index `claims_one_live`. The cost grows with the number of accounts in clusters.
 */
export async function readClusters(db: Database, campaignId: string): Promise<InsightRow<'clusters'>[]> {
  const { rows } = await sql<InsightRow<'clusters'>>`
    select case when size <= 3 then size::text when size <= 5 then '4-5' when size <= 10 then '6-10'
      when size <= 50 then '11-50' else '51+' end as size,
      count(*) as clusters, sum(size)::int8 as participants, sum(claims)::int8 as claims
    from (
      select count(*) as size, count(c.id) as claims
      from clusters k left join claims c
        on c.campaign_id = k.campaign_id and c.user_id = k.user_id and c.status <> 'rejected'
      where k.campaign_id = ${campaignId} group by k.cluster_id having count(*) > 1) sized
    group by 1`.execute(db)
  const none = { clusters: 0, participants: 0, claims: 0 }
  return CLUSTER_SIZES.map((size) => rows.find((row) => row.size === size) ?? { size, ...none })
}

type Totals = Pick<Insights, 'slotsTotal' | 'claimsTotal'>

/** Rejected claims do not count. */
export async function readTotals(db: Database, campaignId: string): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select slots_total as "slotsTotal",
      (select coalesce(sum(amount), 0)::int8 from daily_counts
        where campaign_id = ${campaignId} and measure = 'claims' and part <> 'rejected') as "claimsTotal"
    from campaigns where id = ${campaignId}`.execute(db)
  return rows[0] ?? { slotsTotal: 0, claimsTotal: 0 }
}
