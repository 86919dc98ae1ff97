import { sql } from 'kysely'
import type { Drift } from '#contract/allocation.ts'
import type { DriftEntry } from '#contract/dashboard/payouts.ts'
import type { Database } from '#server/platform/database/database.ts'
import { newId } from '#server/platform/database/ids.ts'
import { driftLine } from '#web/content/dashboard/payout-pack.ts'
import type { LiveFreeze } from './live-freeze.ts'

/** Rows inserted this long before the freeze may be committed after it. An id contains the insertion time. */
const COMMIT_MARGIN_MS = 3_600_000

/** Lines for the operator about drift: participants whose claim, points or ban changed after the freeze. */
export async function describeDrift(db: Database, live: LiveFreeze): Promise<string[]> {
  const counts = await countDrift(db, live)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (total === 0) return []
  const entries = await readDrift(db, live)
  return [
    'These participants have changed since the freeze, which stays as it is. Look at them before you pay:',
    ...entries.map((entry) => `  ${driftLine(entry)}`),
    ...(total > entries.length ? [`… and ${total - entries.length} more: see the dashboard.`] : []),
  ]
}

export async function countDrift(db: Database, live: LiveFreeze): Promise<Record<Drift, number>> {
  const { rows } = await sql<{ drift: Drift; count: number }>`
    select drift, count(*) as count from (${driftedSince(live)}) d
    group by drift order by drift`.execute(db)
  const counts = { undone: 0, changed: 0, added: 0, banned: 0, unbanned: 0 }
  for (const { drift, count } of rows) counts[drift] = count
  return counts
}

/** The first hundred by name. The subquery uses the index `users_pkey`; a join would read all users. */
export async function readDrift(db: Database, live: LiveFreeze): Promise<DriftEntry[]> {
  const { rows } = await sql<DriftEntry>`
    select (select username from users u where u.id = d.user_id) as username, d.drift,
      coalesce(d.frozen_wallet, (select wallet from claims c where c.id = d.claim_id)) as wallet, d.frozen, d.now
    from (${driftedSince(live)}) d
    order by username limit 100`.execute(db)
  return rows
}

/**
 * Compares only participants who may have drifted: with ledger rows after the freeze, banned now, or left out
 * of the freeze for a ban. The freeze pays a share that has a position. Uses the indexes `ledger_pkey`,
 * `users_suspended`, `payout_left_out_pkey`, `payout_shares_pkey`, `payout_rows_pkey`, `standings_pkey` and
 * `claims_by_user`.
 */
const driftedSince = ({ id, frozenAt, terms: { campaign } }: LiveFreeze) => sql`
  select candidate.user_id, claim.claim_id, recipient.wallet as frozen_wallet,
    case when share.position is not null and account.is_banned then 'banned'
      when share.position is not null and (claim.claim_id is null or claim.has_new_wallet) then 'undone'
      when share.position is not null then 'changed'
      when candidate.was_banned then 'unbanned' else 'added' end as drift,
    ${pointsJson(sql`share`)} as frozen, ${pointsJson(sql`standing`)} as now
  from (select user_id, bool_or(was_banned) as was_banned from (
      select distinct user_id, false as was_banned from ledger
      where id > ${newId(frozenAt.getTime() - COMMIT_MARGIN_MS)} and campaign_id = ${campaign.id}
      union all select id, false from users where banned_at is not null and deleted_at is null
      union all select user_id, true from payout_left_out where freeze_id = ${id} and reason = 'account_banned') listed
    group by user_id) candidate
  cross join lateral (
    select banned_at is not null and deleted_at is null as is_banned, deleted_at is not null as is_deleted
    from users where id = candidate.user_id) account
  left join lateral (
    select position, s.claim_id, pf_points as pf, pls_points as pls, referral_points as referral from payout_shares s
    where s.freeze_id = ${id} and s.user_id = candidate.user_id) share on true
  left join payout_rows recipient on recipient.freeze_id = ${id} and recipient.position = share.position
  left join lateral (select pf, pls, referral from standings
    where campaign_id = ${campaign.id} and user_id = candidate.user_id) standing on true
  left join lateral (
    -- A deleted account's claims no longer have their wallets.
    select c.id as claim_id, not account.is_deleted and lower(c.wallet) <>
      (select lower(frozen.wallet) from claims frozen where frozen.id = share.claim_id) as has_new_wallet
    from claims c
    where c.user_id = candidate.user_id and c.campaign_id = ${campaign.id} and c.status = 'approved'
  ) claim on true
  -- Participants who would not be paid now have drifted if the freeze pays them. Others have drifted if the
  -- freeze left them out for a ban, if they had no approved claim then, or if their wallet or points have
  -- changed. A deletion alone is no drift.
  where case when account.is_banned or (account.is_deleted and share.position is null) or claim.claim_id is null
    then share.position is not null
    else candidate.was_banned or (share.position is null and share.claim_id is null) or claim.has_new_wallet
      or (share.pf, share.pls, share.referral) is distinct from (standing.pf, standing.pls, standing.referral) end`

const pointsJson = (from: ReturnType<typeof sql>) => sql`jsonb_build_object('pf', coalesce(${from}.pf, 0),
  'pls', coalesce(${from}.pls, 0), 'referral', coalesce(${from}.referral, 0))`
