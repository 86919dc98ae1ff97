import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { leaderboard } from '#contract/leaderboard.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { wholeBoard } from '#server/testing/checks/ledger-invariants.ts'
import { assertInvalid } from '#server/testing/checks/refusals.ts'
import { testNode } from '#server/testing/deps.ts'
import { compactBoardCounts } from '../ledger/board.ts'
import { readBoard } from './read-board.ts'

test('all pages together list everyone once, by points, then by when they were reached', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  // More than the 64² standings that one bucket of the second level of counts holds.
  const people = 64 ** 2 + 100
  await createUsers(db, campaign.id, people)
  // Few different totals, reached in a shuffled order: multiples of one prime, modulo another.
  await sql`
    update standings set pf = new.pf, referral = new.referral, reached = nextval('standings_reached')
    from (select user_id, reached * 7919 % 4 * 20000 as pf, reached % 3 * 1000 as referral
      from standings order by reached * 7919 % 10007) new
    where new.user_id = standings.user_id and new.pf > 0`.execute(db)
  const { rows } = await sql<{ username: string }>`
    select username from standings s join users u on u.id = s.user_id
    where listed order by total desc, reached`.execute(db)
  assert.equal(rows.length, people)
  const read = async (limit: number) =>
    (await wholeBoard(db, campaign.id, limit)).map(({ username }) => ({ username }))
  assert.deepEqual(await read(100), rows, 'before compaction')
  await compactBoardCounts(db)
  for (const limit of [64, 100]) assert.deepEqual(await read(limit), rows, `pages of ${limit}`)
})

test('a page beyond the campaign’s last is empty, and says how many pages there are', async (t) => {
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

  await sql`insert into campaigns (id, slots_total) values ('other', 1)`.execute(db)
  // The other campaign gets all 24 participants. Ours does not get the three new ones.
  await createUsers(db, 'other', 3)
  assert.equal((await wholeBoard(db, campaign.id)).length, 21)
  assert.equal((await wholeBoard(db, 'other')).length, 24)
})

const keys = (value: unknown) => Object.keys(value as object).toSorted()

test('GET /users/leaderboard: ten entries a page by default, with masked emails; refuses a page or limit out of bounds', async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 12, {
    email: (index) => `canary.${index}@mail.example`,
  })
  const { status, body } = await api.call(leaderboard)
  assert.equal(status, 200)
  assert.deepEqual(keys(body), ['data', 'pagination'])
  assert.deepEqual(body['pagination'], { currentPage: 1, totalPages: 2, totalItems: 12 })
  const entries = body.data as Record<string, unknown>[]
  assert.equal(entries.length, 10)
  for (const [index, entry] of entries.entries()) {
    const fields = 'email pfPoints plsPoints rank referralReward totalPoints username'
    assert.equal(keys(entry).join(' '), fields)
    assert.partialDeepStrictEqual(entry, { rank: index + 1, email: 'ca•••@mail.example', totalPoints: 0 })
  }
  assert.deepEqual((await api.call(leaderboard, { token: ann?.token })).body, body, 'logged in')

  const ask = (query: Record<string, string | number>) => api.call(leaderboard, { query })
  assert.equal((await ask({ page: 1, limit: 1 })).status, 200)
  assert.equal((await ask({ page: 1_000_000, limit: 100 })).status, 200)
  await assertInvalid(ask, [
    [{ page: 0 }, { page: 'number_range' }],
    [{ limit: 0 }, { limit: 'number_range' }],
    [{ limit: 101 }, { limit: 'number_range' }],
    [{ page: 1_000_001 }, { page: 'number_range' }],
    [{ page: -1 }, { page: 'number_format' }],
    [{ page: '1.5' }, { page: 'number_format' }],
    [{ page: '' }, { page: 'number_format' }],
    [{ page: '1e3' }, { page: 'number_format' }],
    [{ page: '1;drop table users' }, { page: 'number_format' }],
    [{ limit: '٣' }, { limit: 'number_format' }],
    [
      { limit: '9'.repeat(30), page: 'x' },
      { limit: 'number_format', page: 'number_format' },
    ],
    [{ sort: 'email' }, { sort: 'unknown_field' }],
  ])
  const withTwoPages = await api.inject({
    url: '/api/v1/users/leaderboard?page=1&page=2',
    headers: { host: 'localhost:3000' },
  })
  assert.equal(withTwoPages.status, 400)
})
