import { sql } from 'kysely'
import { count } from '#server/platform/count.ts'
import type { Database } from '#server/platform/database/database.ts'

/** Checks balances and counts of taken slots in all campaigns. @returns a line for each kind of mistake. */
export async function checkLedger(db: Database): Promise<string[]> {
  const { rows } = await sql<{ balances: number; campaigns: number }>`
    select (
      select count(*)::int from standings s
      full join (select campaign_id, user_id, coalesce(sum(amount) filter (where kind = 'pf'), 0) as pf,
          coalesce(sum(amount) filter (where kind = 'pls'), 0) as pls,
          coalesce(sum(amount) filter (where kind = 'referral'), 0) as referral
        from ledger group by campaign_id, user_id) l using (campaign_id, user_id)
      where (coalesce(s.pf, 0), coalesce(s.pls, 0), coalesce(s.referral, 0))
        <> (coalesce(l.pf, 0), coalesce(l.pls, 0), coalesce(l.referral, 0))) as balances, (
      select count(*)::int from campaigns c
      where c.slots_taken <> (select count(*) from slots where campaign_id = c.id and state <> 'free')) as campaigns
  `.execute(db)
  const { balances = 0, campaigns = 0 } = rows[0] ?? {}
  return [
    ...(balances > 0 ? [`${count(balances, 'balance differs', 'balances differ')} from the ledger`] : []),
    ...(campaigns > 0 ? [`the number of slots taken is wrong in ${count(campaigns, 'campaign')}`] : []),
  ]
}
