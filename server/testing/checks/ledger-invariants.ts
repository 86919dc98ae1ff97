import assert from 'node:assert/strict'
import { type RawBuilder, sql } from 'kysely'
import type { LeaderboardEntry } from '#contract/leaderboard.ts'
import { readClaimants } from '#server/domain/accounts/user.ts'
import { readBoard } from '#server/domain/leaderboard/read-board.ts'
import type { Deps } from '#server/deps.ts'
import type { Database } from '#server/platform/database/database.ts'

/** Asserts that profiles and leaderboard equal the sums of the ledger, and that the board's counts fit. */
export async function assertLedgerInvariants({ db, campaign }: Pick<Deps, 'db' | 'campaign'>): Promise<void> {
  const expected = await sumLedger(db, campaign.id)
  const users = await readClaimants(db, campaign.id, [...expected.keys()])
  assert.equal(users.length, expected.size, 'every user has a profile')
  const entries = new Map((await wholeBoard(db, campaign.id)).map((entry) => [entry.username, entry]))
  for (const { user } of users) {
    const sums = expected.get(user._id)
    const { pfPoints, plsPoints, referralReward, totalPoints } = user
    const shown = { pf: pfPoints, pls: plsPoints, referral: referralReward }
    assert.deepEqual(shown, sums?.points, `profile of ${user.username}`)
    assert.equal(totalPoints, pfPoints + plsPoints + referralReward)
    const entry = entries.get(user.username)
    assert.equal(entry !== undefined, sums?.listed, `${user.username} on the leaderboard`)
    if (!entry) continue
    const { pfPoints: pf, plsPoints: pls, referralReward: referral } = entry
    assert.deepEqual({ pf, pls, referral }, sums?.points, `board row of ${user.username}`)
    assert.equal(entry.totalPoints, totalPoints)
  }
  await assertCountsFit(db, campaign.id)
}

/** Each user's points by kind, only from the ledger, and whether the leaderboard must list the user. */
async function sumLedger(db: Database, campaignId: string) {
  const { rows } = await sql<{ id: string; listed: boolean; pf: number; pls: number; referral: number }>`
    select u.id, u.role = 'user' and u.banned_at is null as listed,
      coalesce(sum(amount) filter (where kind = 'pf'), 0)::int8 as pf,
      coalesce(sum(amount) filter (where kind = 'pls'), 0)::int8 as pls,
      coalesce(sum(amount) filter (where kind = 'referral'), 0)::int8 as referral
    from users u left join ledger l on l.user_id = u.id and l.campaign_id = ${campaignId}
    group by u.id`.execute(db)
  return new Map(rows.map(({ id, listed, ...points }) => [id, { listed, points }]))
}

/** Reads all pages of the leaderboard and asserts ranks and order. */
export async function wholeBoard(db: Database, campaignId: string, limit = 100): Promise<LeaderboardEntry[]> {
  const entries: LeaderboardEntry[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { data, pagination } = await readBoard(db, campaignId, { page, limit })
    pages = pagination.totalPages
    assert.equal(data.length, Math.min(limit, pagination.totalItems - entries.length), `rows of page ${page}`)
    entries.push(...data)
  }
  for (const [index, { rank, totalPoints }] of entries.entries()) {
    assert.equal(rank, index + 1)
    assert.ok(totalPoints <= (entries[index - 1]?.totalPoints ?? Infinity), `order at rank ${rank}`)
  }
  assert.equal(new Set(entries.map((entry) => entry.username)).size, entries.length, 'nobody is listed twice')
  return entries
}

/** Asserts that counts plus later changes fit the listed users. Parts are 64^level wide; level 4 has one. */
export async function assertCountsFit(db: Database, campaignId: string): Promise<void> {
  const { rows } = await sql`
    with counts as (
      select 4 as level, rank_key, 0 as part, people
        from standings_totals t, unnest(t.rank_keys, ${countsFrom(sql.ref('t.upto'))}) k (rank_key, people)
        where campaign_id = ${campaignId}
      union all
      select level, rank_key, (bucket << 6) + part - 1, people
        from standings_counts c, unnest(${countsFrom(sql.ref('c.upto'))}) with ordinality k (people, part)
        where campaign_id = ${campaignId}),
    -- A change names its part of level 1.
    changed as (
      select level, rank_key, case level when 4 then 0 else bucket >> 6 * (level - 1) end as part, people
      from standings_changes, generate_series(1, 4) level where campaign_id = ${campaignId}),
    listed as (
      select level, rank_key, case level when 4 then 0 else reached >> 6 * level end as part, count(*) as existing
      from standings, generate_series(1, 4) level where campaign_id = ${campaignId} and listed group by 1, 2, 3)
    select level, rank_key, part, c.people, listed.existing
    from (
      select level, rank_key, part, sum(people) as people
      from (select * from counts union all select * from changed) counted
      group by 1, 2, 3 having sum(people) <> 0) c
    full join listed using (level, rank_key, part)
    where c.people is distinct from listed.existing`.execute(db)
  assert.deepEqual(rows, [], 'parts whose count differs from their listed users')
}

/** The count of each part, from the running totals in `upto`. */
const countsFrom = (upto: RawBuilder<unknown>) => sql`
  array(select upto - lag(upto, 1, 0) over (order by place) from unnest(${upto}) with ordinality u (upto, place) order by place)`

export async function assertClaimCountsFit(db: Database): Promise<void> {
  const { rows } = await sql`
    select * from (
      select campaign_id, is_first, is_decided, risk_order, sum(claims) as claims from claim_counts
      group by 1, 2, 3, 4 having sum(claims) <> 0) counted
    full join (
      select campaign_id, attempt = 1 as is_first, decided_at is not null as is_decided, risk_order, count(*) as existing
      from claims group by 1, 2, 3, 4) c using (campaign_id, is_first, is_decided, risk_order)
    where counted.claims is distinct from c.existing`.execute(db)
  assert.deepEqual(rows, [], 'kinds of claims whose count differs from their claims')
}
