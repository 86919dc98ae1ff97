import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import * as life from '#contract/dashboard/campaign-life.ts'
import { campaign as campaignEndpoint, type Campaign } from '#contract/campaign.ts'
import type { Database } from '#server/platform/database/database.ts'
import { type Answer, testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { reviewerOn } from '#server/testing/builders/reviewer.ts'
import { entriesOf } from '#server/testing/journal.ts'
import { campaignWith, inCampaign, untilWaiting } from '#server/testing/races.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { lockCampaign } from '../campaign/pause.ts'
import { syncCampaign } from '../campaign/sync-campaign.ts'
import { close as closeNow } from './campaign-dates.ts'

const END = '2120-01-31T12:00:00.000Z'
const file = campaignWith({ opensAt: '2020-01-01T00:00:00Z', closesAt: END, slots: 10 })

async function dashboard(t: TestContext) {
  const api = await testApi(t, { campaign: file })
  await syncCampaign(api.db, file)
  await api.deps.liveCampaign.refresh()
  const { token, user } = await api.administrator()
  const [ann] = await createUsers(api.db, file.id, 1)
  const { _id: claimId } = await submitProof(api.deps, ann.id, freshProof())
  const readCampaign = async () => (await api.call(campaignEndpoint)).body.data as Campaign
  const close = (campaign = file.id) => api.call(life.closeCampaign, { token, body: { campaign } })
  const reviewer = reviewerOn(api.deps, { id: user._id })
  return { ...api, token, ann, claimId, readCampaign, close, reviewer }
}

test('the end can move later and slots can be added, but not the reverse', async (t) => {
  const { call, token, readCampaign } = await dashboard(t)
  const later = '2121-01-31T12:00:00.000Z'
  assert.equal((await call(life.extendCampaign, { token, body: { closesAt: later } })).status, 200)
  const earlier = await call(life.extendCampaign, { token, body: { closesAt: END } })
  assert.deepEqual([earlier.status, earlier.body.code], [409, 'promise_broken'])
  assert.match(earlier.body.fields?.['airdrop.closesAt'] ?? '', /must not be before 2121/)
  assert.equal((await call(life.addSlots, { token, body: { slots: 12 } })).status, 200)
  const fewer = await call(life.addSlots, { token, body: { slots: 11 } })
  assert.deepEqual([fewer.status, fewer.body.code], [409, 'promise_broken'])
  assert.match(fewer.body.fields?.['airdrop.slots'] ?? '', /must be 12 or more/)
  const { closesAt, slots } = await readCampaign()
  assert.deepEqual([closesAt, slots], [later, { total: 12, left: 11 }])
})

test('closing now needs the campaign’s id, ends a pause, and leaves kept slots usable', async (t) => {
  const { call, token, db, deps, ann, claimId, readCampaign, close, reviewer } = await dashboard(t)
  await reviewer.reject(claimId)
  await call(life.pauseCampaign, { token, body: { notice: 'A pause.' } })
  const mistyped = await close('first')
  assert.deepEqual([mistyped.status, Object.keys(mistyped.body.fields ?? {})], [400, ['campaign']])
  assert.equal((await readCampaign()).stage, 'paused')
  const closed = await close()
  assert.equal(closed.status, 200, closed.text)
  const { stage, open, paused } = await readCampaign()
  assert.deepEqual([stage, open, paused], ['paying', false, null])
  const twice = await close()
  assert.deepEqual([twice.status, twice.body.code], [409, 'campaign_closed'])
  const late = await call(life.extendCampaign, { token, body: { closesAt: END } })
  assert.equal(late.body.code, 'campaign_closed')
  const [other] = await createUsers(db, file.id, 1)
  await assert.rejects(submitProof(deps, other.id, freshProof()), { code: 'campaign_closed' })
  await submitProof(deps, ann.id, freshProof())
  assert.equal((await readCampaign()).stage, 'reviewing')
  const { rows } = await sql<{ action: string }>`
    select action from journal where action ~ '^(campaign|settings)[.]' order by id`.execute(db)
  const recorded = rows.map(({ action }) => action)
  assert.deepEqual(recorded, [
    // The start's, which applied the campaign file.
    'settings.changed',
    'campaign.paused',
    'settings.changed',
    'campaign.resumed',
    'campaign.closed',
  ])
})

test('a campaign that has not opened cannot be closed, and an archived one can be neither closed nor changed', async (t) => {
  const { call, token, db, deps, close } = await dashboard(t)
  await sql`update campaigns set archived_at = now()`.execute(db)
  const answers = [
    await close(),
    await call(life.extendCampaign, { token, body: { closesAt: '2121-01-31T12:00:00Z' } }),
    await call(life.addSlots, { token, body: { slots: 12 } }),
  ]
  for (const { status, body } of answers) assert.deepEqual([status, body.code], [409, 'campaign_archived'])
  const [early] = await inCampaign([deps], campaignWith({ opensAt: '2120-01-01T00:00:00Z' }, 'early'))
  await assert.rejects(closeNow(early, { actor: null }), { code: 'campaign_not_open' })
})

test('a connection that is lost while closing leaves the campaign paused, and closing again works', async (t) => {
  const { call, token, db, claimId, readCampaign, close, reviewer } = await dashboard(t)
  await reviewer.reject(claimId)
  await call(life.pauseCampaign, { token, body: { notice: 'A pause.' } })
  const lost = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('slots').select('number').forUpdate().execute()
    const closing = close()
    await untilWaiting(db, 1)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return closing
  })
  assert.equal(lost.status, 503)
  assert.equal((await readCampaign()).stage, 'paused')
  assert.equal((await close()).status, 200)
  const { stage, paused } = await readCampaign()
  assert.deepEqual([stage, paused], ['paying', null])
  assert.equal((await entriesOf(db, { action: 'campaign.closed' })).length, 1)
})

/** Starts calls while the campaign is locked: they queue for it in this order, each having read that it is open. */
async function meetAtCampaign(db: Database, calls: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const started = await db.transaction().execute(async (tx) => {
    await lockCampaign(tx, file.id)
    const running: Promise<Answer>[] = []
    for (const call of calls) {
      running.push(call())
      await untilWaiting(db, running.length)
    }
    return { running }
  })
  return Promise.all(started.running)
}

for (const [name, endpoint, body] of [
  ['pausing', life.pauseCampaign, { notice: 'A pause.' }],
  ['closing', life.closeCampaign, { campaign: file.id }],
  ['extending', life.extendCampaign, { closesAt: '2121-01-31T12:00:00Z' }],
  ['adding slots', life.addSlots, { slots: 12 }],
] as const) {
  test(`race: ${name} is refused while the campaign is being closed`, async (t) => {
    const { call, token, db, readCampaign, close } = await dashboard(t)
    const [closed, refused] = await meetAtCampaign(db, [close, () => call(endpoint, { token, body })])
    assert.equal(closed?.status, 200)
    assert.deepEqual([refused?.status, refused?.body.code], [409, 'campaign_closed'])
    const { open, paused, slots } = await readCampaign()
    assert.deepEqual([open, paused, slots.total], [false, null, 10])
    assert.equal((await entriesOf(db, { action: 'campaign.closed' })).length, 1)
  })
}
