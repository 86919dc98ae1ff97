import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { compactBoardCounts } from '../ledger/board.ts'
import { wholeBoard } from '#server/testing/checks/ledger-invariants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { readBoard } from './read-board.ts'

test('all pages together list everyone once, by points, then by when they were reached', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  await createUsers(db, campaign.id, 5000)
  // Few different totals, reached in a shuffled order.
  await sql`
    update standings set pf = new.pf, referral = new.referral, reached = nextval('standings_reached')
    from (select user_id, reached * 7919 % 4 * 20000 as pf, reached % 3 * 1000 as referral
      from standings order by reached * 7919 % 10007) new
    where new.user_id = standings.user_id and new.pf > 0`.execute(db)
  const { rows } = await sql<{ username: string }>`
    select username from standings s join users u on u.id = s.user_id
    where listed order by total desc, reached`.execute(db)
  assert.equal(rows.length, 5000)
  const read = async (limit: number) =>
    (await wholeBoard(db, campaign.id, limit)).map(({ username }) => ({ username }))
  assert.deepEqual(await read(100), rows, 'before compaction')
  await compactBoardCounts(db)
  for (const limit of [64, 41]) assert.deepEqual(await read(limit), rows, `pages of ${limit}`)
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
  const { db, campaign } = (await testNode(t)).deps
  await createUsers(db, campaign.id, 50)
  await sql`insert into campaigns (id, slots_total) values ('other', 1)`.execute(db)
  // Adds all 53 participants to the other campaign, and the three new ones to no other.
  await createUsers(db, 'other', 3)
  assert.equal((await wholeBoard(db, campaign.id)).length, 50)
  assert.equal((await wholeBoard(db, 'other')).length, 53)
})
