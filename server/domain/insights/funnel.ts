import { sql } from 'kysely'
import type { InsightRow } from '#contract/dashboard/insights.ts'
import { NO_CAMPAIGN, sumByPart, sumByPeriod } from './counts.ts'
import { periodsOf, type ReadTable } from './range.ts'
import { foldArrivals } from './statistics.ts'

const SITE_STEPS = ['views', 'visits', 'registered', 'verified', 'tasks'] as const
const CAMPAIGN_STEPS = ['submitted', 'approved'] as const
const STEPS = [...SITE_STEPS, ...CAMPAIGN_STEPS]

export const readFunnel: ReadTable<'funnel'> = async (db, campaignId, range) => {
  const sums = [
    ...(await sumByPeriod(db, { campaignId: NO_CAMPAIGN, measures: SITE_STEPS }, range)),
    ...(await sumByPeriod(db, { campaignId, measures: CAMPAIGN_STEPS }, range)),
  ]
  const counts = new Map(sums.map(({ day, measure, amount }) => [`${day} ${measure}`, amount]))
  return periodsOf(range).map((day) => {
    const steps = STEPS.map((measure) => [measure, counts.get(`${day} ${measure}`) ?? 0])
    return { day, ...(Object.fromEntries(steps) as Record<(typeof STEPS)[number], number>) }
  })
}

const SITE_ARRIVALS = { campaignId: NO_CAMPAIGN, measures: ['visits', 'registered', 'verified'] }
const CLAIM_ARRIVALS = ['verified_submitted', 'verified_approved']
const ZEROS = { visits: 0, registered: 0, verified: 0, submitted: 0, approved: 0 }

/** By how visits began. `submitted`, `approved`: claims to date by people who verified in the range. */
export const readArrivals: ReadTable<'arrivals'> = async (db, campaignId, range) => {
  const sums = [
    ...(await sumByPart(db, SITE_ARRIVALS, range)),
    ...(await sumByPart(db, { campaignId, measures: CLAIM_ARRIVALS }, range)),
  ]
  const rows = new Map<string, InsightRow<'arrivals'>>()
  for (const { measure, part, amount } of sums) {
    const row = rows.get(part) ?? { arrival: part, ...ZEROS }
    row[measure.replace('verified_', '') as keyof typeof ZEROS] += amount // as `verified_submitted`
    rows.set(part, row)
  }
  return foldArrivals([...rows.values()])
}

const MAX_INVITERS = 20

/**
 * The participants who invited the most people in the range. Counts the invited with the index
 * `users_invited`, and reads the claims of the top inviters' people with `claims_by_user`. The cost grows
 * with the number of people invited in the range, not with that of all participants.
 */
export const readInviters: ReadTable<'inviters'> = async (db, campaignId, { from, to }) => {
  const start = sql`${from}::date::timestamp at time zone 'UTC'`
  const end = sql`(${to}::date + 1)::timestamp at time zone 'UTC'`
  const { rows } = await sql<InsightRow<'inviters'>>`
    with top as materialized (
      select referred_by as id, count(*) as verified from users
      where referred_by is not null and created_at >= ${start} and created_at < ${end}
      group by referred_by order by count(*) desc, referred_by limit ${sql.lit(MAX_INVITERS)})
    select i.username, top.verified, claimed.submitted, claimed.approved
    from top join users i on i.id = top.id, lateral (
      select count(*) filter (where c.attempt = 1) as submitted,
        count(*) filter (where c.status = 'approved') as approved
      from users u join claims c on c.user_id = u.id and c.campaign_id = ${campaignId}
      where u.referred_by = top.id and u.created_at >= ${start} and u.created_at < ${end}) claimed
    order by top.verified desc, i.username`.execute(db)
  return rows
}
