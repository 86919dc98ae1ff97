import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import * as life from '#contract/dashboard/campaign-life.ts'
import { campaign as campaignEndpoint, type Campaign } from '#contract/campaign.ts'
import { testApi } from '#server/testing/api.ts'
import { createAdmin, createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { campaignWith, loseConnectionOf, meetAtLock } from '#server/testing/database/races.ts'
import { testNode } from '#server/testing/deps.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { lockCampaign } from '../campaign/pause.ts'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { close as closeNow, extend as moveEnd } from './campaign-dates.ts'
import { changeSettings } from './change-settings.ts'

const END = '2120-01-31T12:00:00.000Z'
const LATER = '2121-01-31T12:00:00.000Z'
const file = campaignWith({ opensAt: '2020-01-01T00:00:00Z', closesAt: END, slots: 10 })

/** An administrator of an open campaign, and a participant with a claim. */
async function setUp(t: TestContext) {
  const api = await testApi(t, { campaign: file })
  await syncCampaign(api.db, file)
  await api.deps.liveCampaign.refresh()
  const adm = await createAdmin(api)
  const { token } = adm
  const [ann] = await createUsers(api.db, file.id, 1)
  const { _id: claimId } = await submitProof(api.deps, ann.id, freshProof())
  const readCampaign = async () => (await api.call(campaignEndpoint)).body.data as Campaign
  const close = (campaign = file.id) => api.call(life.closeCampaign, { token, body: { campaign } })
  const extend = (closesAt: string) => api.call(life.extendCampaign, { token, body: { closesAt } })
  const addSlots = (slots: number) => api.call(life.addSlots, { token, body: { slots } })
  return { ...api, token, adm, ann, claimId, readCampaign, close, extend, addSlots }
}

/**
 * Like {@link setUp}, but the campaign is paused, and the claim rejected. Its slot is kept for some time, for a
 * corrected claim.
 */
async function setUpPaused(t: TestContext) {
  const site = await setUp(t)
  await reviewerOn(site.deps, site.adm).reject(site.claimId)
  await site.call(life.pauseCampaign, { token: site.token, body: { notice: 'A pause.' } })
  return site
}

test('the end can be postponed and slots can be added, but not the reverse, until the campaign is archived', async (t) => {
  const { db, readCampaign, close, extend, addSlots } = await setUp(t)
  assert.equal((await extend(LATER)).status, 200)
  const earlier = await extend(END)
  assert.deepEqual([earlier.status, earlier.body.code], [409, 'promise_broken'])
  assert.match(earlier.body.fields?.['airdrop.closesAt'] ?? '', /must not be before 2121/)
  assert.equal((await addSlots(12)).status, 200)
  const fewer = await addSlots(11)
  assert.deepEqual([fewer.status, fewer.body.code], [409, 'promise_broken'])
  assert.match(fewer.body.fields?.['airdrop.slots'] ?? '', /must be 12 or more/)
  assert.partialDeepStrictEqual(await readCampaign(), { closesAt: LATER, slots: { total: 12, left: 11 } })

  await sql`update campaigns set archived_at = now()`.execute(db)
  const later = '2122-01-31T12:00:00.000Z'
  for (const { status, body } of [await close(), await extend(later), await addSlots(13)])
    assert.deepEqual([status, body.code], [409, 'campaign_archived'])
  // The settings refuse a change of an archived campaign as they refuse any that breaks a promise.
  const changing = changeSettings(db, file, { actor: null, changes: [{ path: 'airdrop.slots', value: 13 }] })
  await assert.rejects(changing, { code: 'promise_broken' })
})

test('refuses times outside the years 1 to 9999 in UTC, and changes nothing', async (t) => {
  const { call, token, readCampaign, extend } = await setUp(t)
  const pause = (until: string) => call(life.pauseCampaign, { token, body: { notice: 'A pause.', until } })
  for (const time of ['9999-12-31T23:59:59-15:00', '0001-01-01T00:00:00+01:00'])
    for (const { status, body } of [await pause(time), await extend(time)])
      assert.deepEqual([status, body.code], [400, 'invalid_input'], time)
  assert.partialDeepStrictEqual(await readCampaign(), { paused: null, closesAt: END })
  assert.equal((await pause('9999-12-31T23:59:59Z')).status, 200)
})

test('closing now needs the campaign’s id, ends a pause, leaves kept slots usable and is journaled once', async (t) => {
  const { db, deps, ann, readCampaign, close, extend } = await setUpPaused(t)
  const mistyped = await close('first')
  assert.equal(mistyped.status, 400)
  assert.deepEqual(Object.keys(mistyped.body.fields ?? {}), ['campaign'])
  assert.equal((await readCampaign()).stage, 'paused')
  const closed = await close()
  assert.equal(closed.status, 200, closed.text)
  assert.partialDeepStrictEqual(await readCampaign(), { stage: 'paying', open: false, paused: null })
  for (const { status } of [await close(), await extend(END)]) assert.equal(status, 409)
  await submitProof(deps, ann.id, freshProof())
  assert.equal((await readCampaign()).stage, 'reviewing')

  const { rows } = await sql<{ action: string }>`
    select action from journal where action ~ '^(campaign|settings)[.]' order by id`.execute(db)
  const actions = rows.map(({ action }) => action)
  assert.deepEqual(actions, [
    // From the start, which stored the campaign file.
    'settings.changed',
    'campaign.paused',
    // Closing moves the end to now.
    'settings.changed',
    'campaign.resumed',
    'campaign.closed',
  ])
})

test('a campaign that has not opened cannot be closed', async (t) => {
  const { deps } = await testNode(t, campaignWith({ opensAt: '2120-01-01T00:00:00Z' }))
  await assert.rejects(closeNow(deps, { actor: null }), { code: 'campaign_not_open' })
})

test('the end cannot be moved into the past, even while no promise to a participant forbids it', async (t) => {
  const { deps } = await testNode(t, campaignWith({ opensAt: '2020-01-01T00:00:00Z' }))
  const moving = moveEnd(deps, '2020-06-01T00:00:00Z', { actor: null })
  await assert.rejects(moving, { code: 'invalid_input', details: { fields: { closesAt: 'moment_past' } } })
})

test('a lost connection while closing leaves the campaign paused, and closing again works', async (t) => {
  const { db, readCampaign, close } = await setUpPaused(t)
  const lost = await loseConnectionOf(db, () => close())
  assert.equal(lost.status, 503)
  assert.equal((await readCampaign()).stage, 'paused')
  assert.equal((await close()).status, 200)
  assert.partialDeepStrictEqual(await readCampaign(), { stage: 'paying', paused: null })
  assert.equal((await entriesOf(db, { action: 'campaign.closed' })).length, 1)
})

test('race: pausing, closing, extending and adding slots are refused while the campaign is being closed', async (t) => {
  const { call, token, db, readCampaign, close, extend, addSlots } = await setUp(t)
  const pause = () => call(life.pauseCampaign, { token, body: { notice: 'A pause.' } })
  // All calls have read that the campaign is open when they wait for the lock.
  const calls = [() => close(), pause, () => close(), () => extend(LATER), () => addSlots(12)]
  // The lock is granted in the order of the calls.
  const answers = await meetAtLock(db, (tx) => lockCampaign(tx, file.id), calls)
  const [closed, ...refused] = await Promise.all(answers)
  assert.equal(closed?.status, 200)
  for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, 'campaign_closed'])
  assert.partialDeepStrictEqual(await readCampaign(), { open: false, paused: null, slots: { total: 10 } })
  assert.equal((await entriesOf(db, { action: 'campaign.closed' })).length, 1)
})
