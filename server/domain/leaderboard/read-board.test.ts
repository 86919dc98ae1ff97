import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { compactBoardCounts } from '../ledger/board.ts'
import { wholeBoard } from '#server/testing/checks/ledger-invariants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { ownerPool } from '#server/testing/database.ts'
import { testNode } from '#server/testing/deps.ts'
import { pageQuery, readBoard } from './read-board.ts'

/** A leaderboard of `count` participants with few different totals, reached in a shuffled order. */
async function setUpBoard(t: TestContext, count: number) {
  const { deps, ownerUrl } = await testNode(t)
  // The serving role may not analyze, and autovacuum is not immediate.
  const owner = ownerPool(t, { ownerUrl })
  const analyze = () => owner.query('analyze')
  await createUsers(deps.db, deps.campaign.id, count)
  await sql`
    update standings set pf = new.pf, referral = new.referral, reached = nextval('standings_reached')
    from (select user_id, reached * 7919 % 4 * 20000 as pf, reached % 3 * 1000 as referral
      from standings order by reached * 7919 % 10007) new
    where new.user_id = standings.user_id and new.pf > 0`.execute(deps.db)
  await analyze()
  return { ...deps, analyze }
}

/** All listed users in order, without using the counts. */
async function readExpectedOrder(db: Database): Promise<string[]> {
  const { rows } = await sql<{ username: string }>`
    select username from standings s join users u on u.id = s.user_id
    where listed order by total desc, reached`.execute(db)
  return rows.map((row) => row.username)
}

test('all pages together list everyone once, by points, then by when they were reached', async (t) => {
  const { db, campaign } = await setUpBoard(t, 5000)
  const expected = await readExpectedOrder(db)
  assert.equal(expected.length, 5000)
  const read = async (limit: number) =>
    (await wholeBoard(db, campaign.id, limit)).map(({ username }) => username)
  assert.deepEqual(await read(100), expected, 'before compaction')
  await compactBoardCounts(db)
  for (const limit of [64, 41]) assert.deepEqual(await read(limit), expected, `pages of ${limit}`)
})

test('every page, even the last, reads at most one bucket more than its own standings', async (t) => {
  const { db, campaign, analyze } = await setUpBoard(t, 5000)
  await compactBoardCounts(db)
  await analyze()
  for (const page of [1, 120, 250, 333, 499, 500]) {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
      explain (analyze, format json) ${pageQuery(campaign.id, { page, limit: 10 })}`.execute(db)
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? assert.fail()
    const standings = countRowsRead(plan, 'standings')
    assert.ok(standings >= 10 && standings <= 64 + 10, `page ${page} read ${standings} standings`)
    assert.ok(countRowsRead(plan, 'users') <= 10, `page ${page} read more accounts than it shows`)
  }
})

test('pages that begin or end near the end of a bucket are complete', async (t) => {
  const { db, campaign } = await setUpBoard(t, 3000)
  // Every 16th bucket, for speed: a bucket is 64 values of `reached` long.
  const { rows: bucketEnds } = await sql<{ end: number }>`
    select sum(count(*)) over (order by rank_key, reached >> 10)::int8 as "end"
    from standings group by rank_key, reached >> 10`.execute(db)
  assert.ok(bucketEnds.length > 10)
  const places = (await readExpectedOrder(db)).map((name, index) => [index + 1, name])
  for (const { end } of bucketEnds) {
    for (const limit of [1, 2, 10]) {
      const pageAtEnd = Math.ceil(end / limit)
      for (const page of [pageAtEnd - 1, pageAtEnd, pageAtEnd + 1].filter((number) => number > 0)) {
        const { data } = await readBoard(db, campaign.id, { page, limit })
        const listed = data.map(({ rank, username }) => [rank, username])
        assert.deepEqual(listed, places.slice((page - 1) * limit, page * limit))
      }
    }
  }
})

test('a page beyond the last is empty, and says how many pages there are', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const readPage = (page: number) => readBoard(db, campaign.id, { page, limit: 10 })
  assert.deepEqual(await readPage(1), {
    data: [],
    pagination: { currentPage: 1, totalPages: 1, totalItems: 0 },
  })
  await createUsers(db, campaign.id, 20)
  assert.equal((await readPage(2)).data.length, 10)
  for (const currentPage of [3, 1_000_000]) {
    const pagination = { currentPage, totalPages: 2, totalItems: 20 }
    assert.deepEqual(await readPage(currentPage), { data: [], pagination })
  }
  await createUsers(db, campaign.id, 1)
  const ranks = (await readPage(3)).data.map(({ rank }) => rank)
  assert.deepEqual(ranks, [21])
})

test('keeps the leaderboards of campaigns apart', async (t) => {
  const deps = await setUpBoard(t, 50)
  await sql`insert into campaigns (id, slots_total) values ('other', 1)`.execute(deps.db)
  // Adds all 53 participants to the other campaign, and the three new ones to no other.
  await createUsers(deps.db, 'other', 3)
  assert.equal((await wholeBoard(deps.db, deps.campaign.id)).length, 50)
  assert.equal((await wholeBoard(deps.db, 'other')).length, 53)
})

/** A node of a PostgreSQL query plan. */
type Plan = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** How many rows of a table the plan's execution has read, including those that a filter removed. */
function countRowsRead(plan: Plan, table: string): number {
  const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  const ownRows = plan['Relation Name'] === table ? rows : 0
  return (plan.Plans ?? []).reduce((sum, child) => sum + countRowsRead(child, table), ownRows)
}
