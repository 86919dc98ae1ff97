import { sql } from 'kysely'
import { AGES, type InsightRow } from '#contract/dashboard/insights.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sumByPart, sumByPeriod } from './counts.ts'
import { mondayOf, periodsOf, type Range, type ReadTable } from './range.ts'
import { agreementOf, quantileHours } from './statistics.ts'

/** Uses the index `claims_waiting`. */
export async function readWaiting(db: Database, campaignId: string): Promise<InsightRow<'waiting'>[]> {
  const { rows } = await sql<InsightRow<'waiting'>>`
    select case when submitted_at > now() - interval '1 hour' then '1h'
      when submitted_at > now() - interval '6 hours' then '6h' when submitted_at > now() - interval '1 day' then '1d'
      when submitted_at > now() - interval '3 days' then '3d' when submitted_at > now() - interval '7 days' then '7d'
      else 'older' end as age, count(*) as claims
    from claims where campaign_id = ${campaignId} and decided_at is null group by 1`.execute(db)
  return AGES.map((age) => ({ age, claims: rows.find((row) => row.age === age)?.claims ?? 0 }))
}

/** Median and 90th percentile of the hours to a decision, by week of the decision. */
export const readDecisionTimes: ReadTable<'decisionTimes'> = async (db, campaignId, { from, to }) => {
  const weeks: Range = { from: mondayOf(from), to, by: 'week' }
  const query = { campaignId, measures: ['decided_after'] }
  // The first week counts only the range's days. A part begins with a step of the histogram of waits.
  const sums = await sumByPeriod(db, query, { ...weeks, from }, { partWord: 1 })
  return periodsOf(weeks).map((day) => {
    const waits = sums
      .filter((sum) => sum.day === day)
      .map(({ part, amount }) => ({ step: Number(part), decisions: amount }))
    return {
      day,
      decisions: waits.reduce((sum, { decisions }) => sum + decisions, 0),
      p50: quantileHours(waits, 0.5),
      p90: quantileHours(waits, 0.9),
    }
  })
}

/** Most decisions first. `undone` counts decisions that were undone in the range. */
export const readReviewers: ReadTable<'reviewers'> = async (db, campaignId, range) => {
  const sums = await sumByPart(db, { campaignId, measures: ['decided', 'undone'] }, range)
  const rows = new Map<string, InsightRow<'reviewers'>>()
  for (const { measure, part, amount } of sums) {
    // A part is `<reviewer> <decision>`, also for a decision that was undone.
    const [id = '', decision] = part.split(' ')
    const row = rows.get(id) ?? { reviewer: null, approved: 0, rejected: 0, undone: 0 }
    if (measure === 'undone') row.undone += amount
    else if (decision === 'approved' || decision === 'rejected') row[decision] += amount
    rows.set(id, row)
  }
  const names = await readNames(db, [...rows.keys()])
  return [...rows]
    .map(([id, row]) => ({ ...row, reviewer: names.get(id) ?? null }))
    .toSorted((a, b) => b.approved + b.rejected - (a.approved + a.rejected))
}

async function readNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  // The id is empty for decisions that no reviewer took.
  const reviewerIds = ids.filter((id) => id !== '')
  if (reviewerIds.length === 0) return new Map()
  const users = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', reviewerIds)
    .execute()
  return new Map(users.map(({ id, username }) => [id, username]))
}

/** Decisions by the risk that the reviewer saw. */
export const readAgreement: ReadTable<'agreement'> = async (db, campaignId, range) =>
  agreementOf(await sumByPart(db, { campaignId, measures: ['decided_at_risk'] }, range))

/** Appeals answered in the range, by the decision that answered them. */
export const readAppeals: ReadTable<'appeals'> = async (db, campaignId, range) => {
  const sums = await sumByPart(db, { campaignId, measures: ['appeals'] }, range)
  return (['approved', 'rejected'] as const).map((decision) => ({
    decision,
    appeals: sums.find(({ part }) => part === decision)?.amount ?? 0,
  }))
}
