import { sql } from 'kysely'
import type { Drift } from '#contract/allocation.ts'
import type { DriftEntry } from '#contract/dashboard/payouts.ts'
import type { Database } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { driftLine } from '#web/content/dashboard/payout-pack.ts'
import type { LiveFreeze } from './live-freeze.ts'

/** A ledger row, whose id contains its time, may be inserted before the freeze and committed after it. */
const MARGIN_MS = 3_600_000

type Points = DriftEntry['now']
type DriftRow = { drift: Drift; username: string; wallet: string | null; frozen: Points; now: Points }

/** Lines that say which rows no longer match the ledger; none if all do. */
export async function describeDrift(db: Database, campaignId: string, live: LiveFreeze): Promise<string[]> {
  const counts = await countDrift(db, campaignId, live)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return []
  const entries = await readDrift(db, campaignId, live)
  return [
    `The ledger has changed since the freeze, which stays as it is. Look at these before you pay:`,
    ...entries.map((entry) => `  ${driftLine(entry)}`),
    ...(total > entries.length ? [`… and ${total - entries.length} more: see the dashboard.`] : []),
  ]
}

/** How many participants have drifted since the freeze. */
export async function countDrift(
  db: Database,
  campaignId: string,
  live: LiveFreeze,
): Promise<Record<Drift, number>> {
  const { rows } = await sql<{ drift: Drift; count: number }>`
    select drift, count(*) as count from (${driftedSince(campaignId, live)}) d
    group by drift order by drift`.execute(db)
  const counts = { undone: 0, changed: 0, added: 0, banned: 0, unbanned: 0 }
  for (const { drift, count } of rows) counts[drift] = count
  return counts
}

/** The first hundred drifted participants by name. Names by `users_pkey`: a join would read all users. */
export async function readDrift(db: Database, campaignId: string, live: LiveFreeze): Promise<DriftEntry[]> {
  const { rows } = await sql<DriftRow>`
    select (select username from users u where u.id = d.user_id) as username, d.drift,
      coalesce(d.frozen_wallet, (select wallet from claims c where c.id = d.claim_id)) as wallet, d.frozen, d.now
    from (${driftedSince(campaignId, live)}) d
    order by username limit 100`.execute(db)
  return rows
}

const points = (from: ReturnType<typeof sql>) => sql`jsonb_build_object('pf', coalesce(${from}.pf, 0),
  'pls', coalesce(${from}.pls, 0), 'referral', coalesce(${from}.referral, 0))`

/**
 * Query that compares only those who may have drifted: those with ledger rows after the freeze, by
 * `ledger_pkey`, banned participants, by `users_suspended`, and those whom the freeze leaves out for a ban,
 * by `payout_left_out_pkey`. Their share by `payout_shares_pkey`, their standing by `standings_pkey`, their
 * claim by `claims_by_user`.
 */
const driftedSince = (campaignId: string, { id, frozenAt }: LiveFreeze) => sql`
  select l.user_id, c.claim_id, r.wallet as frozen_wallet,
    case when s.position is not null and u.is_banned then 'banned' when s.position is not null and c.claim_id is null then 'undone'
      when s.position is not null then 'changed' when l.was_banned then 'unbanned' else 'added' end as drift,
    ${points(sql`s`)} as frozen, ${points(sql`n`)} as now
  from (select user_id, bool_or(was_banned) as was_banned from (
      select distinct user_id, false as was_banned from ledger
      where id > ${newId(frozenAt.getTime() - MARGIN_MS)} and campaign_id = ${campaignId}
      union all select id, false from users where banned_at is not null and deleted_at is null
      union all select user_id, true from payout_left_out where freeze_id = ${id} and reason = 'account_banned') one
    group by user_id) l
  cross join lateral (
    select banned_at is not null and deleted_at is null as is_banned, deleted_at is not null as is_deleted
    from users where id = l.user_id) u
  left join lateral (
    select position, p.claim_id, pf_points as pf, pls_points as pls, referral_points as referral from payout_shares p
    where p.freeze_id = ${id} and p.user_id = l.user_id) s on true
  left join payout_rows r on r.freeze_id = ${id} and r.position = s.position
  left join lateral (select pf, pls, referral from standings where campaign_id = ${campaignId} and user_id = l.user_id) n on true
  left join lateral (select id as claim_id from claims k
    where k.user_id = l.user_id and k.campaign_id = ${campaignId} and k.status = 'approved') c on true
  -- Nobody pays a deleted account that the freeze does not pay, although its approved claim stays.
  where case when u.is_banned or u.is_deleted and s.position is null or c.claim_id is null then s.position is not null
    else l.was_banned or (s.position is null and s.claim_id is null)
      or (s.pf, s.pls, s.referral) is distinct from (n.pf, n.pls, n.referral) end`
