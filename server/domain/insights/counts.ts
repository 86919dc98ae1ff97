import { sql } from 'kysely'
import { tryLock } from '#server/platform/database/advisory-lock.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import type { Range } from './range.ts'

const COMPACTION_LOCK = 5_369_045

/** Replaces a count's rows with one row, their sum; or none for 0. Blocks no new rows. One node at a time. */
export function compactDailyCounts(db: Database): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLock(tx, COMPACTION_LOCK))) return
    // Reads all rows twice: to find the counts with several rows, and to delete those rows.
    await sql`
      with changed as materialized (
        select campaign_id, measure, day, part from daily_counts group by 1, 2, 3, 4 having count(*) > 1),
      compacted as (
        delete from daily_counts d using changed c
        where (d.campaign_id, d.measure, d.day, d.part) = (c.campaign_id, c.measure, c.day, c.part)
        returning d.*)
      insert into daily_counts
      select campaign_id, measure, day, part, sum(amount) from compacted group by 1, 2, 3, 4
      having sum(amount) <> 0`.execute(tx)
  })
}

/** The campaign's id in counts that belong to no campaign. */
export const NO_CAMPAIGN = ''

type CountQuery = {
  /** A campaign's id or {@link NO_CAMPAIGN}. */
  campaignId: string
  measures: readonly string[]
}

/**
 * Sums by measure and part over a range, except sums of zero. A part consists of one or more words, such as
 * `x.com` for visits, or a reviewer and a decision. Uses the index `daily_counts_order`.
 */
export async function sumByPart(
  db: Database,
  { campaignId, measures }: CountQuery,
  { from, to }: Omit<Range, 'by'>,
) {
  const { rows } = await sql<{ measure: string; part: string; amount: number }>`
    select measure, part, sum(amount)::int8 as amount from daily_counts
    where campaign_id = ${campaignId} and measure = any(${measures}::text[]) and day between ${from} and ${to}
    group by measure, part having sum(amount) <> 0 order by measure, part`.execute(db)
  return rows
}

/** `day` is the first day of the period. */
type PeriodSum = { day: string; measure: string; part: string; amount: number }

/**
 * Sums by period, measure and one word of the part. Uses the index `daily_counts_order`.
 * @param partWord the word's position, from 1. Without it, all parts are summed up and `part` is empty.
 */
export async function sumByPeriod(
  db: Database,
  { campaignId, measures }: CountQuery,
  { from, to, by }: Range,
  { partWord }: { partWord?: number } = {},
): Promise<PeriodSum[]> {
  const part = partWord === undefined ? sql`''::text` : sql`split_part(part, ' ', ${sql.lit(partWord)})`
  const { rows } = await sql<PeriodSum>`
    select to_char(date_trunc(${by}, day::timestamp), 'YYYY-MM-DD') as day, measure, ${part} as part,
      sum(amount)::int8 as amount
    from daily_counts
    where campaign_id = ${campaignId} and measure = any(${measures}::text[]) and day between ${from} and ${to}
    group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}
