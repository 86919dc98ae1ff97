import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import * as contract from '#contract/campaigns.ts'
import type { LeaderboardEntry } from '#contract/leaderboard.ts'
import type { Locale } from '#contract/locales.ts'
import type { Deps } from '#server/deps.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { campaignWith, inCampaign, tally, twoNodes, untilWaiting } from '#server/testing/races.ts'
import { createArchiveReader } from '#server/site/archive-pages.ts'
import { appeal } from '../claims/appeal.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { reallocateSlots } from '../slots/reallocate-slots.ts'
import { archive, archiveEarlierCampaigns } from './archive.ts'
import { pause, resume } from './pause.ts'
import { readCampaign } from './read-campaign.ts'
import { readLife } from './read-campaign-life.ts'
import { readResults } from './read-results.ts'

const OPERATOR = { actor: null }
const OPEN = campaignWith({ opensAt: '2020-01-01T00:00:00Z', slots: 5 }, 'spring')
const CLOSED = {
  ...campaignWith({ ...OPEN.airdrop, closesAt: '2020-02-01T00:00:00Z' }, 'spring'),
  translations: { es: { name: 'Airdrop de primavera' } },
}
const NEXT = campaignWith({}, 'summer')

/** Moves the end into the past, in the database: no verb accepts such an end. */
const end = (db: Deps['db']) =>
  db
    .updateTable('campaigns')
    .set({ settings: JSON.stringify(CLOSED) })
    .where('id', '=', CLOSED.id)
    .execute()

/** What keeps a campaign from being archived, as the dashboard says, and whether kept slots have an end. */
async function pendingIn(deps: Deps) {
  const { undecided, appeals, kept, keptUntil } = await readLife(deps)
  return { undecided, appeals, kept, hasEnd: keptUntil !== null }
}

/** A campaign with two participants and a reviewer: a node while it is open, two nodes after its close. */
async function setUp(t: TestContext) {
  const [one, two] = await inCampaign(await twoNodes(t), OPEN)
  const [ann, ben] = await createUsers(one.db, OPEN.id, 2)
  const [adm] = await createUsers(one.db, OPEN.id, 1, { role: 'admin' })
  const later = (deps: Deps): Deps => ({
    ...deps,
    campaign: CLOSED,
    liveCampaign: { ...deps.liveCampaign, file: CLOSED },
  })
  return { one, late: later(one), lateTwo: later(two), ann, ben, reviewer: reviewerOn(one, adm) }
}

test('a campaign is archived once it is closed, decided and without kept slots, and is final then', async (t) => {
  const { one, late, ann, ben, reviewer } = await setUp(t)
  const { _id: annsClaim } = await submitProof(one, ann.id, freshProof())
  const { _id: bensClaim } = await submitProof(one, ben.id, freshProof())
  await assert.rejects(archive(one, OPERATOR), { code: 'campaign_open' })
  const behind: Deps = { ...one, campaign: CLOSED }
  await assert.rejects(archive(behind, OPERATOR), { code: 'campaign_open' }, 'another node has extended it')
  await pause(one, { ...OPERATOR, notice: 'A pause.', until: null })
  await assert.rejects(archive(late, OPERATOR), { code: 'campaign_unsettled' })
  await reviewer.approve(annsClaim)
  await reviewer.reject(bensClaim)
  await appeal(late, { userId: ben.id, claimId: bensClaim, text: 'Look again.' })
  // An appeal keeps the slot, for as long as it is open.
  assert.deepEqual(await pendingIn(late), { undecided: 0, appeals: 1, kept: 1, hasEnd: false })
  await assert.rejects(archive(late, OPERATOR), { code: 'campaign_unsettled' })
  await reviewer.reject(bensClaim)
  // Ben's slot is still kept for a correction.
  await assert.rejects(archive(late, OPERATOR), { code: 'campaign_unsettled' })
  assert.deepEqual(await pendingIn(late), { undecided: 0, appeals: 0, kept: 1, hasEnd: false })
  await resume(one, OPERATOR)
  assert.deepEqual(await pendingIn(late), { undecided: 0, appeals: 0, kept: 1, hasEnd: true })
  await sql`update slots set until = now() - interval '1 hour' where user_id = ${ben.id}`.execute(one.db)
  assert.equal((await readCampaign(late)).stage, 'paying')
  assert.deepEqual(await pendingIn(late), { undecided: 0, appeals: 0, kept: 0, hasEnd: false })
  await archive(late, OPERATOR)
  await assert.rejects(archive(late, OPERATOR), { code: 'campaign_archived' })
  await assert.rejects(reviewer.undo(annsClaim), { code: 'campaign_archived' })
  await assert.rejects(submitProof(late, ben.id, freshProof()), { code: 'campaign_closed' })
  const pausing = pause(late, { ...OPERATOR, notice: 'Again.', until: null })
  await assert.rejects(pausing, { code: 'campaign_archived' })
  assert.equal((await readCampaign(one)).stage, 'paying', 'although this node’s file says that it is open')
})

test('the dashboard names no time until which slots are kept while an appeal keeps one of them', async (t) => {
  const { one, ann, ben, reviewer } = await setUp(t)
  for (const { id } of [ann, ben]) {
    const { _id } = await submitProof(one, id, freshProof())
    await reviewer.reject(_id)
    if (id === ben.id) await appeal(one, { userId: id, claimId: _id, text: 'Look again.' })
  }
  assert.deepEqual(await pendingIn(one), { undecided: 0, appeals: 1, kept: 2, hasEnd: false })
})

test('an undo that began before archiving keeps the campaign from being archived', async (t) => {
  const { one, lateTwo, ann, reviewer } = await setUp(t)
  const { _id } = await submitProof(one, ann.id, freshProof())
  await reviewer.approve(_id)
  const calls = await one.db.transaction().execute(async (held) => {
    await held.selectFrom('claims').select('id').where('id', '=', _id).forUpdate().execute()
    const undoing = reviewer.undo(_id)
    await untilWaiting(one.db, 1)
    const archiving = archive(lateTwo, OPERATOR)
    archiving.catch(() => {})
    await untilWaiting(one.db, 2)
    return [undoing, archiving]
  })
  assert.deepEqual(await tally(calls), { done: 1, campaign_unsettled: 1 })
})

test('another campaign starts only after one without claims, or one that is closed and decided and in which nobody waits', async (t) => {
  const { one, late, ann, ben, reviewer } = await setUp(t)
  const { db } = one
  // Nobody has claimed: the campaign may be left, and does not count as ended.
  await archiveEarlierCampaigns(db, NEXT)
  const archived = () =>
    db.selectFrom('campaigns').select('id').where('archived_at', 'is not', null).orderBy('id').execute()
  assert.deepEqual(await archived(), [])
  const { _id } = await submitProof(one, ann.id, freshProof())
  const starting = () =>
    archiveEarlierCampaigns(db, NEXT).catch((error: unknown) => {
      assert.ok(error instanceof Misconfigured)
      return error.message
    })
  assert.match(
    (await starting()) ?? '',
    /^The campaign spring still has 1 claim, 0 appeals and 0 kept slots pending: .*\nTo continue the earlier campaign, set id in the campaign file back/,
  )
  await reviewer.approve(_id)
  assert.match((await starting()) ?? '', /^The campaign spring is still open: close it with/)
  await end(db)
  // Nobody has been told yet, for example because the server was not running when the campaign closed.
  await db.insertInto('waiting_list').values({ campaign_id: OPEN.id, user_id: ben.id }).execute()
  assert.match((await starting()) ?? '', /^The campaign spring still has 1 person on its waiting list/)
  await reallocateSlots(late)
  const mailed = await db
    .selectFrom('jobs')
    .select(sql<string>`payload->>'to'`.as('to'))
    .where(sql<boolean>`payload->>'template' = 'waiting-list-ended'`)
    .execute()
  assert.deepEqual(mailed, [{ to: ben.email }])
  await Promise.all([archiveEarlierCampaigns(db, NEXT), archiveEarlierCampaigns(db, NEXT)])
  assert.deepEqual(await archived(), [{ id: 'spring' }])
  const entries = await entriesOf(db, { action: 'campaign.archived' })
  assert.equal(entries.length, 1)
  // The earlier campaign can be continued, which does not archive the one that has begun since.
  await inCampaign([one], NEXT)
  await archiveEarlierCampaigns(db, CLOSED)
  assert.deepEqual(await archived(), [{ id: 'spring' }])
})

test('another campaign starts only once an archived one has told its waiting list that it ended', async (t) => {
  const { one, late, ann, ben, reviewer } = await setUp(t)
  const { _id } = await submitProof(one, ann.id, freshProof())
  await reviewer.approve(_id)
  await end(one.db)
  await one.db.insertInto('waiting_list').values({ campaign_id: OPEN.id, user_id: ben.id }).execute()
  await archive(late, OPERATOR)
  const starting = archiveEarlierCampaigns(one.db, NEXT)
  await assert.rejects(starting, { message: /^The campaign spring still has 1 person on its waiting list/ })
  await reallocateSlots(late)
  await archiveEarlierCampaigns(one.db, NEXT)
})

test('an earlier campaign that is reopened while the start of another waits stays open', async (t) => {
  const { one, ann, reviewer } = await setUp(t)
  const { db } = one
  const { _id } = await submitProof(one, ann.id, freshProof())
  await reviewer.approve(_id)
  await end(db)
  const starting = await db.transaction().execute(async (held) => {
    await sql`select from campaigns where id = ${OPEN.id} for no key update`.execute(held)
    const start = archiveEarlierCampaigns(db, NEXT)
    start.catch(() => {})
    await untilWaiting(db, 1)
    const settings = JSON.stringify(OPEN)
    await held.updateTable('campaigns').set({ settings }).where('id', '=', OPEN.id).execute()
    return { start }
  })
  await assert.rejects(starting.start, { message: /^The campaign spring is still open/ })
  const campaign = await db.selectFrom('campaigns').select('archived_at').where('id', '=', OPEN.id).execute()
  assert.deepEqual(campaign, [{ archived_at: null }])
})

test('an ended campaign can be read with its results, leaderboard and what a participant earned', async (t) => {
  const api = await testApi(t, { campaign: NEXT })
  const [spring] = await inCampaign([api.deps], OPEN)
  const [ann, ben] = await createUsers(spring.db, OPEN.id, 2)
  const [adm] = await createUsers(spring.db, OPEN.id, 1, { role: 'admin' })
  const approved = await submitProof(spring, ann.id, freshProof())
  await reviewerOn(spring, adm).approve(approved._id)
  const rejected = await submitProof(spring, ben.id, freshProof())
  await reviewerOn(spring, adm).reject(rejected._id)
  await sql`update slots set until = now() where user_id = ${ben.id}`.execute(spring.db)
  await end(spring.db)
  await archiveEarlierCampaigns(spring.db, NEXT)

  const { body } = await api.call(contract.campaignRecord, { params: { id: 'spring' } })
  const { archivedAt, ...record } = body.data as contract.CampaignRecord
  assert.ok(archivedAt)
  assert.deepEqual(record, {
    id: 'spring',
    name: OPEN.name,
    token: { name: OPEN.token.name, symbol: OPEN.token.symbol },
    coin: { symbol: OPEN.chain.currency.symbol },
    opensAt: OPEN.airdrop.opensAt,
    closesAt: CLOSED.airdrop.closesAt,
    slots: { total: 5, left: 3 },
    stage: 'paying',
    isCurrent: false,
    results: {
      claimed: 2,
      approved: 1,
      undecided: 0,
      appeals: 0,
      isFinal: true,
      points: { pf: 20_000, pls: 20_000, referral: 0 },
      payout: null,
    },
  })
  const list = await api.call(contract.campaigns)
  const records = list.body.data as contract.CampaignRecord[]
  const approvals = records.map(({ id, isCurrent, results }) => [id, isCurrent, results?.approved])
  assert.deepEqual(approvals, [
    ['summer', true, undefined],
    ['spring', false, 1],
  ])
  const board = await api.call(contract.campaignLeaderboard, {
    params: { id: 'spring' },
    query: { limit: '1' },
  })
  const [first, ...others] = board.body.data as LeaderboardEntry[]
  assert.deepEqual([first?.rank, first?.username, first?.totalPoints], [1, ann.username, 40_000])
  assert.deepEqual(others, [])
  assert.equal((await api.call(contract.campaignRecord, { params: { id: 'autumn' } })).status, 404)
  assert.equal((await api.call(contract.campaignLeaderboard, { params: { id: 'autumn' } })).status, 404)
  const earnedBy = async ({ token }: { token: string }) =>
    (await api.call(contract.ownCampaigns, { token })).body.data
  assert.deepEqual(await earnedBy(ann), [
    { id: 'spring', name: OPEN.name, rank: 1, totalPoints: 40_000, isFrozen: false },
  ])
  assert.deepEqual(await earnedBy(ben), [])

  const namesIn = async (locale: Locale) => {
    const headers = { 'accept-language': locale }
    const own = await api.call(contract.ownCampaigns, { token: ann.token, headers })
    const pages = createArchiveReader(api.deps, { readResults, readHeads: async () => [] })
    const shared = await api.call(contract.campaignRecord, { params: { id: 'spring' }, headers })
    return {
      own: (own.body.data as { name: string }[]).map(({ name }) => name),
      listed: (await pages.list(locale)).map(({ name }) => name),
      page: (await pages.read(locale, 'spring', 1)).record.name,
      shared: (shared.body.data as contract.CampaignRecord).name,
    }
  }
  const english = { own: [OPEN.name], listed: [OPEN.name], page: OPEN.name, shared: OPEN.name }
  const { name } = CLOSED.translations.es
  const spanish = { own: [name], listed: [name], page: name, shared: OPEN.name }
  assert.deepEqual(await namesIn('es'), spanish)
  assert.deepEqual(await namesIn('en'), english)
  assert.deepEqual(await namesIn('tr'), english, 'without a name of its own')
})
