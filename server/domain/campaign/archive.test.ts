import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import type { CampaignFile } from '#contract/campaign-file.ts'
import * as contract from '#contract/campaigns.ts'
import type { LeaderboardEntry } from '#contract/leaderboard.ts'
import type { Locale } from '#contract/locales.ts'
import type { Deps } from '#server/deps.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { testApi } from '#server/testing/api.ts'
import { markRejected } from '#server/testing/builders/claimants.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { writeOverrides } from '#server/testing/builders/settings.ts'
import { addToWaitingList, claim, closed, OVER } from '#server/testing/builders/slots.ts'
import { entriesOf } from '#server/testing/journal.ts'
import {
  campaignWith,
  inCampaign,
  meetAtClaim,
  meetAtLock,
  tally,
  twoNodes,
} from '#server/testing/database/races.ts'
import { createArchiveReader } from '#server/site/archive-pages.ts'
import { appeal } from '../claims/appeal.ts'
import { reallocateSlots } from '../slots/reallocate-slots.ts'
import { lockSlots } from '../slots/take-slot.ts'
import { archive, archiveEarlierCampaigns } from './archive.ts'
import { readLife } from './campaign-records.ts'
import { pause, resume } from './pause.ts'
import { readCampaign } from './read-campaign.ts'
import { readResults } from './read-results.ts'

const OPERATOR = { actor: null }
// The dates of `OVER` are in the past.
const OPEN = campaignWith({ opensAt: OVER.opensAt, slots: 5 }, 'spring')
const CLOSED = {
  ...campaignWith({ ...OPEN.airdrop, ...OVER }, 'spring'),
  translations: { es: { name: 'Airdrop de primavera' } },
}
const NEXT = campaignWith({}, 'summer')

const storeSettings = (db: Deps['db'], campaign: CampaignFile) =>
  db
    .updateTable('campaigns')
    .set({ settings: JSON.stringify(campaign) })
    .where('id', '=', campaign.id)
    .execute()

/** Moves the end into the past, which no operation accepts. */
const moveEndIntoPast = (db: Deps['db']) => storeSettings(db, CLOSED)

/** Two participants and a reviewer. For node `one` the campaign is open, for `late` and `lateTwo` closed. */
async function setUp(t: TestContext) {
  const [one, two] = await inCampaign(await twoNodes(t), OPEN)
  const [ann, ben] = await createUsers(one.db, OPEN.id, 2)
  const [adm] = await createUsers(one.db, OPEN.id, 1, { role: 'admin' })
  return { one, late: closed(one), lateTwo: closed(two), ann, ben, reviewer: reviewerOn(one, adm) }
}

const assertNotArchivable = (deps: Deps, code: string, message?: string) =>
  assert.rejects(archive(deps, OPERATOR), { code }, message)

async function pendingIn(deps: Deps) {
  const { undecided, appeals, kept, keptUntil } = await readLife(deps)
  return { undecided, appeals, kept, hasEnd: keptUntil !== null }
}

test('an open campaign is not archived, even by a node that has not read that it was extended', async (t) => {
  const { one, late } = await setUp(t)
  await assertNotArchivable(one, 'campaign_open')
  await writeOverrides(one.db, OPEN.id, { 'airdrop.closesAt': null })
  await assertNotArchivable(late, 'campaign_open')
})

test('a closed campaign is archived once everything is decided and no slot is kept', async (t) => {
  const { one, late, ann, ben, reviewer } = await setUp(t)
  const [annsClaim, bensClaim] = [await claim(one, ann), await claim(one, ben)]
  // During a pause, no kept slot has an end.
  await pause(one, { ...OPERATOR, notice: 'A pause.', until: null })
  await assertNotArchivable(late, 'campaign_unsettled', 'two claims are undecided')

  await reviewer.approve(annsClaim)
  await reviewer.reject(bensClaim)
  await appeal(late, { userId: ben.id, claimId: bensClaim, text: 'Look again.' })
  // An open appeal keeps the slot without an end.
  assert.deepEqual(await pendingIn(late), { undecided: 0, appeals: 1, kept: 1, hasEnd: false })
  await assertNotArchivable(late, 'campaign_unsettled', 'an appeal is open')

  await reviewer.reject(bensClaim)
  assert.deepEqual(await pendingIn(late), { undecided: 0, appeals: 0, kept: 1, hasEnd: false })
  await assertNotArchivable(late, 'campaign_unsettled', 'a slot is kept for a correction')

  await resume(one, OPERATOR)
  assert.deepEqual(await pendingIn(late), { undecided: 0, appeals: 0, kept: 1, hasEnd: true })
  await sql`update slots set until = now() - interval '1 hour' where user_id = ${ben.id}`.execute(one.db)
  assert.deepEqual(await pendingIn(late), { undecided: 0, appeals: 0, kept: 0, hasEnd: false })
  await archive(late, OPERATOR) // not refused any more
})

test('an archived campaign is final, and can still be paid', async (t) => {
  const { one, late, ann, ben, reviewer } = await setUp(t)
  const claimId = await claim(one, ann)
  await reviewer.approve(claimId)
  assert.equal((await readCampaign(late)).stage, 'paying')
  await archive(late, OPERATOR)
  await assertNotArchivable(late, 'campaign_archived')
  await assert.rejects(reviewer.undo(claimId), { code: 'campaign_archived' })
  await assert.rejects(claim(late, ben), { code: 'campaign_closed' })
  const pausing = pause(late, { ...OPERATOR, notice: 'Again.', until: null })
  await assert.rejects(pausing, { code: 'campaign_archived' })
  assert.equal((await readCampaign(one)).stage, 'paying', 'although this node’s file says that it is open')
})

test('the dashboard shows no end of kept slots while an appeal keeps one of them', async (t) => {
  const { one, ann, ben, reviewer } = await setUp(t)
  await reviewer.reject(await claim(one, ann))
  const claimId = await claim(one, ben)
  await reviewer.reject(claimId)
  await appeal(one, { userId: ben.id, claimId, text: 'Look again.' })
  assert.deepEqual(await pendingIn(one), { undecided: 0, appeals: 1, kept: 2, hasEnd: false })
})

test('an undo that began before archiving keeps the campaign from being archived', async (t) => {
  const { one, lateTwo, ann, reviewer } = await setUp(t)
  const claimId = await claim(one, ann)
  await reviewer.approve(claimId)
  // The calls queue for the claim's lock in this order.
  const calls = await meetAtClaim<unknown>(one, claimId, [
    () => reviewer.undo(claimId),
    () => archive(lateTwo, OPERATOR),
  ])
  assert.deepEqual(await tally(calls), { done: 1, campaign_unsettled: 1 })
})

test('a claim that waited for the lock behind archiving is refused because the campaign is closed', async (t) => {
  const { one, late, ann } = await setUp(t)
  const calls = await meetAtLock<unknown>(one.db, (tx) => lockSlots(tx, OPEN.id), [
    () => archive(late, OPERATOR),
    () => claim(one, ann),
  ])
  assert.deepEqual(await tally(calls), { done: 1, campaign_closed: 1 })
})

const readArchived = (db: Deps['db']) =>
  db.selectFrom('campaigns').select('id').where('archived_at', 'is not', null).orderBy('id').execute()

test('another campaign starts only once the earlier one is decided, closed and without a waiting list', async (t) => {
  const { one, late, ann, ben, reviewer } = await setUp(t)
  const { db } = one
  await archiveEarlierCampaigns(db, NEXT)
  assert.deepEqual(await readArchived(db), [], 'a campaign without claims is not archived')

  const claimId = await claim(one, ann)
  const assertRefused = (message: RegExp) =>
    assert.rejects(archiveEarlierCampaigns(db, NEXT), { constructor: Misconfigured, message })
  await assertRefused(
    /^The campaign spring still has 1 claim, 0 appeals and 0 kept slots pending: .*\nTo continue the earlier campaign, set id in the campaign file back/,
  )
  await reviewer.approve(claimId)
  await assertRefused(/^The campaign spring is still open: close it with/)

  await moveEndIntoPast(db)
  // The server has sent no emails yet, for example because it was not running when the campaign closed.
  await addToWaitingList(one, [ben])
  await assertRefused(/^The campaign spring still has 1 person on its waiting list/)
  await reallocateSlots(late)
  const mailed = await db
    .selectFrom('jobs')
    .select(sql<string>`payload->>'to'`.as('to'))
    .where(sql<boolean>`payload->>'template' = 'waiting-list-ended'`)
    .execute()
  assert.deepEqual(mailed, [{ to: ben.email }])

  await Promise.all([archiveEarlierCampaigns(db, NEXT), archiveEarlierCampaigns(db, NEXT)])
  assert.deepEqual(await readArchived(db), [{ id: 'spring' }])
  assert.equal((await entriesOf(db, { action: 'campaign.archived' })).length, 1)
})

test('another campaign starts only once everyone on the waiting list of an archived one has been told', async (t) => {
  const { one, late, ann, ben } = await setUp(t)
  await markRejected(one.db, await claim(one, ann))
  await moveEndIntoPast(one.db)
  await addToWaitingList(one, [ben])
  await archive(late, OPERATOR)
  const starting = archiveEarlierCampaigns(one.db, NEXT)
  await assert.rejects(starting, { message: /^The campaign spring still has 1 person on its waiting list/ })
  await reallocateSlots(late)
  await archiveEarlierCampaigns(one.db, NEXT) // not refused any more
})

test('an archived campaign neither starts again nor archives the one that came after it', async (t) => {
  const { one, ann, reviewer } = await setUp(t)
  const { db } = one
  await inCampaign([one], NEXT)
  await sql`update campaigns set archived_at = now() where id = 'summer'`.execute(db)
  await reviewer.approve(await claim(one, ann))
  await moveEndIntoPast(db)
  const message =
    'The campaign summer is archived, and spring came after it: set CAMPAIGN_CONFIG to the campaign file of the newest one.'
  await assert.rejects(archiveEarlierCampaigns(db, NEXT), { message })
  assert.deepEqual(await readArchived(db), [{ id: 'summer' }])
})

test('an earlier campaign stays open if it is reopened while the start of another waits', async (t) => {
  const { one, ann } = await setUp(t)
  const { db } = one
  await markRejected(db, await claim(one, ann))
  await moveEndIntoPast(db)
  const lock = (tx: Tx) => sql`select from campaigns where id = ${OPEN.id} for no key update`.execute(tx)
  const start = () => archiveEarlierCampaigns(db, NEXT)
  // The transaction that `start` waits for reopens the campaign.
  const [starting] = await meetAtLock(db, lock, [start], (tx) => storeSettings(tx, OPEN))
  await assert.rejects(starting ?? assert.fail(), { message: /^The campaign spring is still open/ })
  assert.deepEqual(await readArchived(db), [])
})

test('an archived campaign stays readable', async (t) => {
  // The current campaign is `summer`. In the earlier `spring`, Ann is approved and Ben rejected.
  const api = await testApi(t, { campaign: NEXT })
  const [spring] = await inCampaign([api.deps], OPEN)
  const [ann, ben] = await createUsers(spring.db, OPEN.id, 2)
  const [adm] = await createUsers(spring.db, OPEN.id, 1, { role: 'admin' })
  const reviewer = reviewerOn(spring, adm)
  await reviewer.approve(await claim(spring, ann))
  await reviewer.reject(await claim(spring, ben))
  await sql`update slots set until = now() where user_id = ${ben.id}`.execute(spring.db)
  await moveEndIntoPast(spring.db)
  await archiveEarlierCampaigns(spring.db, NEXT)

  await t.test('with its results, listed after the current one', async () => {
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
      slots: { total: 5, left: 3 }, // Ben's slot has expired, but no one has freed it.
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
    const [current, earlier, ...others] = list.body.data as contract.CampaignRecord[]
    assert.partialDeepStrictEqual(current, { id: 'summer', isCurrent: true, results: null })
    assert.deepEqual(earlier, body.data)
    assert.deepEqual(others, [])
    assert.equal((await api.call(contract.campaignRecord, { params: { id: 'autumn' } })).status, 404)
  })

  await t.test('with its leaderboard, and for participants with what they earned', async () => {
    const board = await api.call(contract.campaignLeaderboard, {
      params: { id: 'spring' },
      query: { limit: '1' },
    })
    const [first, ...others] = board.body.data as LeaderboardEntry[]
    assert.partialDeepStrictEqual(first, { rank: 1, username: ann.username, totalPoints: 40_000 })
    assert.deepEqual(others, [])
    assert.equal((await api.call(contract.campaignLeaderboard, { params: { id: 'autumn' } })).status, 404)
    const readEarned = async ({ token }: TestUser) =>
      (await api.call(contract.ownCampaigns, { token })).body.data
    assert.deepEqual(await readEarned(ann), [
      { id: 'spring', name: OPEN.name, rank: 1, totalPoints: 40_000, isFrozen: false },
    ])
    assert.deepEqual(await readEarned(ben), [])
  })

  await t.test('by its name in the reader’s language, except in the public record', async () => {
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
    assert.deepEqual(await namesIn('tr'), english, 'the campaign has no name in Turkish')
  })
})
