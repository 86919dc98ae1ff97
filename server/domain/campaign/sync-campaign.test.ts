import assert from 'node:assert/strict'
import { test } from 'node:test'
import defaults from '#server/testing/campaign.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import * as contract from '#contract/campaign.ts'
import { digest } from '../journal/chain.ts'
import { readBoard } from '../leaderboard/read-board.ts'
import type { Database } from '#server/platform/database/database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { ownerPool, testDatabase } from '#server/testing/database/database.ts'
import { testNode } from '#server/testing/deps.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { writeOverrides } from '#server/testing/builders/settings.ts'
import { campaignWith, untilWaiting } from '#server/testing/database/races.ts'
import { createLiveCampaign } from './live-campaign.ts'
import { readCampaign } from './read-campaign.ts'
import { syncCampaign } from './sync-campaign.ts'

const countListed = async (db: Database, id: string) =>
  (await readBoard(db, id, { page: 1, limit: 10 })).pagination.totalItems

const BROKEN = 'The campaign file breaks a promise to participants:'

test('GET /campaign describes the campaign', async (t) => {
  const { call } = await testApi(t)
  const { status, headers, body } = await call(contract.campaign)
  assert.equal(status, 200)
  assert.match(String(headers['cache-control']), /^public/)
  const { name, token, chain, airdrop } = defaults
  assert.deepEqual(body, {
    data: {
      id: 'first-airdrop',
      name,
      token: {
        name: token.name,
        symbol: 'PF',
        supply: '1,000,000,000',
        contract: token.contract,
        chainId: chain.id,
        placeholder: true,
      },
      tasks: airdrop.tasks.map(({ id, title, url }) => {
        return { id, title, url, points: 5000, pfPoints: 5000, plsPoints: 5000 }
      }),
      pointsPerTask: 5000,
      pfPoints: 20_000,
      plsPoints: 20_000,
      slots: { total: 10_000, left: 10_000 },
      opensAt: '2026-01-01T00:00:00Z',
      closesAt: null,
      open: true,
      stage: 'open',
      paused: null,
    } satisfies contract.Campaign,
  })
})

test('a campaign is open between its dates while slots are left', async (t) => {
  const { db } = await testDatabase(t)
  await syncCampaign(db, campaignWith({ slots: 5 }))
  const isOpen = async (changes: Partial<CampaignFile['airdrop']>) =>
    (await readCampaign({ db, campaign: campaignWith(changes) })).open
  const [past, future] = ['2020-01-01T00:00:00Z', '2120-01-01T00:00:00Z']
  assert.equal(await isOpen({}), true)
  assert.equal(await isOpen({ opensAt: future }), false)
  assert.equal(await isOpen({ opensAt: past, closesAt: future }), true)
  assert.equal(await isOpen({ opensAt: past, closesAt: '2020-01-02T00:00:00+14:00' }), false)
  await db.updateTable('campaigns').set({ slots_taken: 4 }).execute()
  assert.equal(await isOpen({}), true)
  await db.updateTable('campaigns').set({ slots_taken: 5 }).execute()
  assert.equal(await isOpen({}), false)
})

test('before the opening, the campaign file can change the slots, but not below the number taken', async (t) => {
  const { db } = await testDatabase(t)
  const opensAt = '2120-01-01T00:00:00Z'
  const sync = (slots: number) => syncCampaign(db, campaignWith({ opensAt, slots }))
  const readSlots = async () => (await readCampaign({ db, campaign: defaults })).slots
  await sync(100)
  assert.deepEqual(await readSlots(), { total: 100, left: 100 })
  await db.updateTable('campaigns').set({ slots_taken: 40 }).execute()
  await sync(50)
  assert.deepEqual(await readSlots(), { total: 50, left: 10 })
  const reason = 'airdrop.slots must be 40 or more, because that many are taken'
  await assert.rejects(sync(39), new Misconfigured(`${BROKEN} ${reason}`))
  assert.deepEqual(await readSlots(), { total: 50, left: 10 }, 'nothing changed')
  await sync(40)
  assert.deepEqual(await readSlots(), { total: 40, left: 0 })
  await sync(60)
  assert.deepEqual(await readSlots(), { total: 60, left: 20 })
})

test('a file that breaks promises is refused with a line for each, and changes nothing', async (t) => {
  const { db, deps } = await testNode(t)
  await syncCampaign(db, defaults)
  const [ann] = await createUsers(db, defaults.id, 1)
  await submitProof(deps, ann.id, freshProof())
  const readStored = () =>
    db.selectFrom('campaigns').select(['slots_total', 'settings', 'settings_revision']).execute()
  const before = await readStored()
  const changed = campaignWith({
    slots: 9_999,
    pointsPerTask: 4_000,
    opensAt: '2026-01-02T00:00:00Z',
    closesAt: '2120-01-01T00:00:00Z',
  })
  const reasons = [
    'airdrop.slots must be 10000 or more: that many were announced',
    'airdrop.opensAt must stay 2026-01-01T00:00:00Z because the airdrop has opened',
    'airdrop.pointsPerTask must stay 5000 because people have claimed for these points',
  ]
  const lines = reasons.map((reason) => `${BROKEN} ${reason}`)
  await assert.rejects(syncCampaign(db, changed), new Misconfigured(lines.join('\n')))
  assert.deepEqual(await readStored(), before)
})

test('a campaign stored without settings may change all settings, but not have fewer slots than are taken', async (t) => {
  const { db } = await testDatabase(t)
  await syncCampaign(db, defaults)
  await createUsers(db, defaults.id, 1)
  // Early versions did not store the settings.
  await db.updateTable('campaigns').set({ settings: null, slots_taken: 40 }).execute()
  const sync = (slots: number) => syncCampaign(db, campaignWith({ slots, opensAt: '2026-01-02T00:00:00Z' }))
  const reason = 'airdrop.slots must be 40 or more, because that many are taken'
  await assert.rejects(sync(39), new Misconfigured(`${BROKEN} ${reason}`))
  await sync(40)
  assert.deepEqual((await readCampaign({ db, campaign: defaults })).slots, { total: 40, left: 0 })
})

test('overrides take precedence over a changed file, even in the journal entry about the change', async (t) => {
  const { db } = await testDatabase(t)
  await syncCampaign(db, defaults)
  await writeOverrides(db, defaults.id, { 'airdrop.slots': 20_000, 'texts.hero': 'From the dashboard.' })
  const changed = campaignWith({ slots: 15_000, referralsPaid: 60 })
  await syncCampaign(db, changed)
  const { slots } = await readCampaign({ db, campaign: defaults })
  assert.equal(slots.total, 20_000)

  const live = createLiveCampaign(db, changed)
  await live.refresh()
  assert.equal(live.campaign.airdrop.referralsPaid, 60)
  assert.equal(live.campaign.texts.hero, 'From the dashboard.')

  const readChanges = async () =>
    (await assertSealed(db)).filter(({ action }) => action === 'settings.changed')
  const [journaled, ...others] = await readChanges()
  assert.deepEqual(others, [])
  const { after } = journaled ?? assert.fail()
  assert.partialDeepStrictEqual(after, { settings: digest(live.campaign), slots: 20_000, referralsPaid: 60 })
  await syncCampaign(db, changed)
  assert.equal((await readChanges()).length, 1, 'nothing has changed since')
})

test('journals the opening and a change of settings once, however many nodes start', async (t) => {
  const { db } = await testDatabase(t)
  const start = (file: CampaignFile) => Promise.all(Array.from({ length: 6 }, () => syncCampaign(db, file)))
  const readEntries = async () =>
    (await assertSealed(db))
      // `assertSealed` exports the journal, which is journaled as well.
      .filter(({ action }) => action !== 'journal.exported')
      .map(({ action, before, after, details }) => ({ action, before, after, content: details?.content }))
  await start(defaults)
  await start(defaults)

  const points = { pf: 3000, pls: 300 }
  const [first, ...others] = defaults.airdrop.tasks
  assert.ok(first)
  const tasks = [{ ...first, title: 'Wave', points }, ...others]
  const changed = campaignWith({ slots: 20_000, pointsPerTask: 6000, tasks })
  await start(changed)
  await start(changed)

  const granted = { pointsPerTask: 5000, pfPoints: 20_000, plsPoints: 20_000 }
  const amounts = { ...granted, referralReward: 1000, referralsPaid: 50, slots: 10_000 }
  const opened = { ...amounts, settings: digest(defaults) }
  // The first of four tasks has points of its own.
  const more = { pointsPerTask: 6000, pfPoints: 21_000, plsPoints: 18_300 }
  assert.deepEqual(await readEntries(), [
    {
      action: 'campaign.opened',
      before: null,
      after: opened,
      content: { campaign: defaults.id, settings: defaults },
    },
    {
      action: 'settings.changed',
      before: opened,
      after: { ...amounts, ...more, slots: 20_000, settings: digest(changed) },
      content: {
        campaign: defaults.id,
        changes: [
          { setting: 'airdrop.slots', before: 10_000, after: 20_000 },
          { setting: 'airdrop.tasks.0.title', before: first.title, after: 'Wave' },
          { setting: 'airdrop.pointsPerTask', before: 5000, after: 6000 },
          { setting: 'airdrop.tasks.0.points.pf', before: null, after: 3000 },
          { setting: 'airdrop.tasks.0.points.pls', before: null, after: 300 },
        ],
      },
    },
  ])
  // Reverting a change is a change, too.
  await start(campaignWith({ slots: 20_000 }))
  assert.equal((await readEntries()).length, 3)
})

test('filling a new leaderboard blocks neither claims nor another start', async (t) => {
  const { db, ownerUrl, deps } = await testNode(t)
  const [ann] = await createUsers(db, defaults.id, 2)
  const next = campaignWith({}, 'second-airdrop')
  const owner = ownerPool(t, { ownerUrl })
  // Filling the new leaderboard waits for this lock.
  await owner.query(`
    create function wait_here() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger wait_here before insert on standings for each row
      when (new.campaign_id = '${next.id}') execute function wait_here()`)
  await owner.query('select pg_advisory_lock(1)')
  const starting = syncCampaign(db, next)
  await untilWaiting(db, 1)

  await submitProof({ ...deps, campaign: next }, ann.id, freshProof())
  await syncCampaign(db, campaignWith({ slots: 20_000 }, next.id))
  const { slots } = await readCampaign({ db, campaign: next })
  assert.deepEqual(slots, { total: 20_000, left: 19_999 })

  await owner.query('select pg_advisory_unlock(1)')
  await starting
  assert.equal(await countListed(db, next.id), 2)
})

test('a start with an unchanged file does not wait for a lock on the campaign', async (t) => {
  // A start that waits would run into this timeout.
  const { db } = await testDatabase(t, { timeoutMs: 20_000 })
  await syncCampaign(db, defaults)
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('campaigns').select('id').forUpdate().execute()
    await syncCampaign(db, defaults)
  })
})

test('a campaign that becomes current again lists those who registered meanwhile, and a restart queues no job', async (t) => {
  const { db } = await testDatabase(t)
  const next = campaignWith({}, 'second-airdrop')
  const countOnBoard = () => countListed(db, defaults.id)
  await syncCampaign(db, defaults)
  await createUsers(db, defaults.id, 3)
  await syncCampaign(db, next)
  await createUsers(db, next.id, 4)
  assert.equal(await countOnBoard(), 3)
  await syncCampaign(db, defaults)
  assert.equal(await countOnBoard(), 7)
  const readJobs = () => db.selectFrom('jobs').select('id').execute()
  const before = await readJobs()
  await syncCampaign(db, defaults)
  assert.deepEqual(await readJobs(), before)
})
