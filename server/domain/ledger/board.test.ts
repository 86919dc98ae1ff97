import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { type Database, inTransaction } from '#server/platform/database/database.ts'
import { assertCountsFit, wholeBoard } from '#server/testing/checks/ledger-invariants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { campaignWith, ROUNDS, twoNodes, untilWaiting } from '#server/testing/database/races.ts'
import {
  addToLeaderboard,
  compactBoardCounts,
  fillBoard,
  fillBoards,
  fillBoardSoon,
  setOnLeaderboard,
} from './board.ts'

const readNames = async (db: Database, campaignId: string) =>
  (await wholeBoard(db, campaignId)).map((entry) => entry.username)

async function insertCampaign(db: Database, id: string): Promise<string> {
  await db.insertInto('campaigns').values({ id, slots_total: 1 }).execute()
  return id
}

const countRows = async (db: Database, table: 'standings_counts' | 'standings_changes') =>
  (await db.selectFrom(table).select('rank_key').execute()).length

test('adds each user once, without points, after the users added before', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const [ann, ben, cleo] = await createUsers(db, campaign.id, 3)
  const id = await insertCampaign(db, 'next-airdrop')
  await inTransaction(db, (tx) => addToLeaderboard(tx, id, ben.id))
  await inTransaction(db, (tx) => addToLeaderboard(tx, id, cleo.id, ben.id, ann.id))
  const listed = (await wholeBoard(db, id)).map(({ username, totalPoints }) => ({ username, totalPoints }))
  const expected = [ben, cleo, ann].map(({ username }) => ({ username, totalPoints: 0 }))
  assert.deepEqual(listed, expected)
  await assertCountsFit(db, id)
})

test('taking a user off the leaderboard removes them from pages and counts, and keeps their points', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const [ann, ben] = await createUsers(db, campaign.id, 2)
  await db.updateTable('standings').set({ pf: 5 }).where('user_id', '=', ann.id).execute()
  for (const _call of ['first', 'second'])
    await inTransaction(db, (tx) => setOnLeaderboard(tx, ann.id, false))
  assert.deepEqual(await readNames(db, campaign.id), [ben.username])
  const standing = db.selectFrom('standings').select('total').where('user_id', '=', ann.id)
  assert.deepEqual(await standing.execute(), [{ total: 5 }])
  await assertCountsFit(db, campaign.id)
})

test('a new campaign lists all verified users, except administrators and banned accounts', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const [ann, ben, cleo] = await createUsers(db, campaign.id, 3)
  await createUsers(db, campaign.id, 1, { role: 'admin' })
  await db.updateTable('users').set({ banned_at: new Date() }).where('id', '=', ben.id).execute()
  const next = campaignWith({}, 'next-airdrop')
  await inTransaction(db, (tx) => addToLeaderboard(tx, next.id, ann.id))
  assert.deepEqual(await readNames(db, next.id), [], 'the campaign is not in the database yet')
  for (const _start of ['first', 'second']) await syncCampaign(db, next)
  assert.deepEqual(await readNames(db, next.id), [ann.username, cleo.username])
  const standings = db.selectFrom('standings').select('user_id').where('campaign_id', '=', next.id)
  assert.equal((await standings.execute()).length, 4, 'everyone has a standing, which a credit requires')
})

test('a shutdown stops the filling of a leaderboard after a batch, and the next run resumes it at once', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const [ann] = await createUsers(db, campaign.id, 3)
  const id = await insertCampaign(db, 'next-airdrop')
  await inTransaction(db, (tx) => fillBoardSoon(tx, id))
  const stop = new AbortController()
  let filling: Promise<number> | undefined
  await inTransaction(db, async (tx) => {
    await sql`select from users where id = ${ann.id} for update`.execute(tx)
    filling = fillBoards(db, stop.signal)
    await untilWaiting(db, 1)
    stop.abort()
  })
  assert.equal(await filling, 1, 'one job has run')
  const dueJobs = sql`
    select done_at is null as "isOpen" from jobs where kind = 'fill-board' and run_at <= now()`
  assert.deepEqual((await dueJobs.execute(db)).rows, [{ isOpen: true }])
  assert.equal(await fillBoards(db), 1)
  assert.deepEqual((await dueJobs.execute(db)).rows, [{ isOpen: false }])
  assert.equal((await readNames(db, id)).length, 3)
})

test('race: everyone is listed when two nodes fill a leaderboard while users are added to it', async (t) => {
  const [one, two] = await twoNodes(t)
  const people = await createUsers(one.db, one.campaign.id, 20)
  for (let round = 1; round <= ROUNDS; round += 1) {
    const id = await insertCampaign(one.db, `round-${round}`)
    await Promise.all([
      ...[one, two].map(({ db }) => inTransaction(db, (tx) => fillBoard(tx, id))),
      ...people.map((person, index) =>
        inTransaction((index % 2 === 0 ? one : two).db, (tx) => addToLeaderboard(tx, id, person.id)),
      ),
    ])
    assert.equal((await readNames(one.db, id)).length, 20, `round ${round}`)
    await assertCountsFit(one.db, id)
  }
})

/** Levels of buckets (ranges of standings) in the tree of counts. */
const LEVELS = 3

test('compaction leaves one row for each non-empty bucket, with the same sums', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  await createUsers(db, campaign.id, 30)
  await sql`update standings set pf = 10 where reached % 3 = 0`.execute(db)
  await assertCountsFit(db, campaign.id)
  const before = await wholeBoard(db, campaign.id)
  const compactToRows = async () => {
    await compactBoardCounts(db)
    assert.equal(await countRows(db, 'standings_changes'), 0)
    return countRows(db, 'standings_counts')
  }
  // At each level, the users with points fill one bucket and the users without fill another.
  for (const _compaction of ['first', 'second']) assert.equal(await compactToRows(), 2 * LEVELS)
  await assertCountsFit(db, campaign.id)
  assert.deepEqual(await wholeBoard(db, campaign.id), before)

  await sql`delete from standings`.execute(db)
  assert.equal(await compactToRows(), 0)
  await assertCountsFit(db, campaign.id)
  assert.deepEqual(await wholeBoard(db, campaign.id), [])
})

test('a statement leaves one change for each bucket whose count it changes', async (t) => {
  const { db, campaign } = (await testNode(t)).deps
  const [ann] = await createUsers(db, campaign.id, 30)
  const countChanges = () => countRows(db, 'standings_changes')
  assert.equal(await countChanges(), 1, 'all are in the first bucket')
  await sql`update standings set pf = pls`.execute(db)
  assert.equal(await countChanges(), 1, 'nobody has changed places')
  await sql`update standings set pf = 5 where user_id = ${ann?.id}`.execute(db)
  assert.equal(await countChanges(), 1 + 2, 'one participant less in the first bucket, one more in another')
  await assertCountsFit(db, campaign.id)
})

test('race: counts and pages fit the standings while two nodes compact the counts and standings change', async (t) => {
  const [one, two] = await twoNodes(t)
  const { id: campaignId } = one.campaign
  const people = await createUsers(one.db, campaignId, 40)
  // Wider than a bucket of the highest level (64 ** 3), so that each level has several buckets.
  const distance = 64 ** LEVELS + 1
  for (let round = 1; round <= ROUNDS; round += 1) {
    const change = (db: Database, userId: string, index: number) =>
      index % 5 === 0
        ? inTransaction(db, (tx) => setOnLeaderboard(tx, userId, false))
        : sql`
            update standings
            set pf = pf + ${index % 7}, reached = ${distance} * nextval('standings_reached'), listed = true
            where user_id = ${userId}`.execute(db)
    await Promise.all([
      ...people.map(({ id }, index) => change((index % 2 === 0 ? one : two).db, id, index + round)),
      ...[one, two, one, two].map(({ db }) => compactBoardCounts(db)),
      ...[one, two].map(({ db }) => assertBoardIsSorted(db, campaignId)),
    ])
    await assertCountsFit(one.db, campaignId)
  }
  await compactBoardCounts(one.db)
  await assertCountsFit(two.db, campaignId)
})

function assertBoardIsSorted(db: Database, campaignId: string): Promise<void> {
  const inOneSnapshot = db.transaction().setIsolationLevel('repeatable read')
  return inOneSnapshot.execute(async (tx) => {
    const { rows } = await sql<{ username: string }>`
      select username from standings s join users u on u.id = s.user_id
      where campaign_id = ${campaignId} and listed order by rank_key, reached`.execute(tx)
    const rowsOnPage = 7
    const listed = (await wholeBoard(tx, campaignId, rowsOnPage)).map(({ username }) => ({ username }))
    assert.deepEqual(listed, rows)
  })
}
