import { type RawBuilder, sql } from 'kysely'
import { tryLock } from '#server/platform/database/advisory-lock.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'

/** Triggers add rows to `claim_counts` with each change of a claim, so a count is a sum over rows. */
export const countClaims = (campaignId: string, condition: RawBuilder<boolean>): RawBuilder<number> => sql`
  (select coalesce(sum(claims), 0)::int8 from claim_counts where campaign_id = ${campaignId} and ${condition})`

const COMPACTION_LOCK = 5_369_019 // Any number that no other advisory lock has.

/** Merges rows that count claims of the same kind. Only one node at a time does it. */
export function compactClaimCounts(db: Database): Promise<void> {
  return inTransaction(db, async (tx) => {
    if (!(await tryLock(tx, COMPACTION_LOCK))) return
    const { rows } = await severalRowsOfOneKind.execute(tx)
    if (rows.length === 0) return
    await sql`
      with compacted as (delete from claim_counts returning *)
      insert into claim_counts select campaign_id, is_first, is_decided, risk_order, sum(claims)
      from compacted group by 1, 2, 3, 4 having sum(claims) <> 0`.execute(tx)
  })
}

const severalRowsOfOneKind = sql`
  select from claim_counts group by campaign_id, is_first, is_decided, risk_order having count(*) > 1 limit 1`
