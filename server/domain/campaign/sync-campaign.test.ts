import assert from 'node:assert/strict'
import { test } from 'node:test'
import defaults from '#server/testing/campaign.ts'
import type { CampaignFile } from '#contract/campaign-file.ts'
import * as contract from '#contract/campaign.ts'
import type { Campaign } from '#contract/campaign.ts'
import { digest } from '../journal/chain.ts'
import { readBoard } from '../leaderboard/read-board.ts'
import { openPool } from '#server/platform/database/database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { submitProof } from '../claims/submission/submit-proof.ts'
import { testApi } from '#server/testing/api.ts'
import { assertCountsFit } from '#server/testing/ledger-invariants.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { LONG_TIMEOUT, testDatabase } from '#server/testing/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { assertSealed } from '#server/testing/journal.ts'
import { freshProof } from '#server/testing/builders/proof.ts'
import { untilWaiting } from '#server/testing/races.ts'
import { readCampaign } from './read-campaign.ts'
import { syncCampaign } from './sync-campaign.ts'

const withAirdrop = (changes: Partial<CampaignFile['airdrop']>): CampaignFile => ({
  ...defaults,
  airdrop: { ...defaults.airdrop, ...changes },
})

test('GET /campaign describes the campaign', async (t) => {
  const { call } = await testApi(t)
  const { status, headers, body } = await call(contract.campaign)
  assert.equal(status, 200)
  assert.match(String(headers['cache-control']), /^public/)
  const { name, token, chain, airdrop } = defaults
  assert.deepEqual(body, {
    data: {
      name,
      token: {
        name: token.name,
        symbol: 'PF',
        supply: '1,000,000,000',
        contract: token.contract,
        chainId: chain.id,
        placeholder: true,
      },
      tasks: airdrop.tasks.map(({ id, title, url }) => ({ id, title, url, points: 5000 })),
      pointsPerTask: 5000,
      slots: { total: 10_000, left: 10_000 },
      opensAt: '2026-01-01T00:00:00Z',
      closesAt: null,
      open: true,
    } satisfies Campaign,
  })
})

test('a campaign is open between its dates while slots are left', async (t) => {
  const { db } = await testDatabase(t)
  await syncCampaign(db, withAirdrop({ slots: 5 }))
  const isOpen = async (changes: Partial<CampaignFile['airdrop']>) =>
    (await readCampaign({ db, campaign: withAirdrop(changes) })).open
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

test('slots follow the file; fewer than taken are refused in one line', async (t) => {
  const { db } = await testDatabase(t)
  const slots = async () => (await readCampaign({ db, campaign: defaults })).slots
  await syncCampaign(db, withAirdrop({ slots: 100 }))
  assert.deepEqual(await slots(), { total: 100, left: 100 })
  await db.updateTable('campaigns').set({ slots_taken: 40 }).execute()
  await syncCampaign(db, withAirdrop({ slots: 50 }))
  assert.deepEqual(await slots(), { total: 50, left: 10 })
  await assert.rejects(syncCampaign(db, withAirdrop({ slots: 39 })), (error: unknown) => {
    assert.ok(error instanceof Misconfigured)
    assert.match(
      error.message,
      /^The campaign file asks for 39 slots, but 40 are taken: set airdrop\.slots to 40/,
    )
    return true
  })
  assert.deepEqual(await slots(), { total: 50, left: 10 }, 'nothing changed')
  await syncCampaign(db, withAirdrop({ slots: 40 }))
  assert.deepEqual(await slots(), { total: 40, left: 0 })
  await syncCampaign(db, withAirdrop({ slots: 60 }))
  assert.deepEqual(await slots(), { total: 60, left: 20 })
})

test('journals the opening and a change of settings once, however many nodes start', async (t) => {
  const { db } = await testDatabase(t)
  const start = (file: CampaignFile) => Promise.all(Array.from({ length: 6 }, () => syncCampaign(db, file)))
  const entries = async () =>
    (await assertSealed(db))
      .filter(({ action }) => action !== 'journal.exported')
      .map(({ action, before, after, details }) => ({ action, before, after, content: details?.content }))
  await start(defaults)
  await start(defaults)
  await db.updateTable('campaigns').set({ slots_taken: 40 }).execute()
  const tasks = defaults.airdrop.tasks.map((task, index) => (index === 0 ? { ...task, title: 'Wave' } : task))
  const changed = withAirdrop({ slots: 50, pointsPerTask: 6000, tasks })
  await start(changed)
  await start(changed)
  const amounts = { pointsPerTask: 5000, referralReward: 1000, referralsPaid: 50, slots: 10_000 }
  const opened = { ...amounts, settings: digest(defaults) }
  assert.deepEqual(await entries(), [
    {
      action: 'campaign.opened',
      before: null,
      after: opened,
      content: { campaign: defaults.id, settings: defaults },
    },
    {
      action: 'settings.changed',
      before: opened,
      after: { ...amounts, slots: 50, pointsPerTask: 6000, settings: digest(changed) },
      content: {
        campaign: defaults.id,
        changes: [
          { setting: 'airdrop.slots', before: 10_000, after: 50 },
          { setting: 'airdrop.tasks.0.title', before: defaults.airdrop.tasks[0]?.title, after: 'Wave' },
          { setting: 'airdrop.pointsPerTask', before: 5000, after: 6000 },
        ],
      },
    },
  ])
  // Reverting a change is another change.
  await start(defaults)
  assert.equal((await entries()).length, 3)
})

test('a new campaign’s leaderboard lists all verified participants, however many nodes start', async (t) => {
  const { db } = await testDatabase(t)
  await syncCampaign(db, defaults)
  await createUsers(db, defaults.id, 300)
  await createUsers(db, defaults.id, 2, { role: 'admin' })
  const next = { ...defaults, id: 'second-airdrop' }
  await Promise.all(Array.from({ length: 6 }, () => syncCampaign(db, next)))
  const { pagination } = await readBoard(db, next.id, { page: 1, limit: 10 })
  assert.equal(pagination.totalItems, 300)
  await assertCountsFit(db, next.id)
})

test('filling a new leaderboard blocks neither claims nor another start', async (t) => {
  const { db, ownerUrl } = await testDatabase(t)
  const deps = await testDeps(db)
  const [ann, ben] = await createUsers(db, defaults.id, 2)
  assert.ok(ann && ben)
  const next = { ...defaults, id: 'second-airdrop' }
  const owner = openPool(ownerUrl, () => {}, { ...LONG_TIMEOUT, max: 1 })
  t.after(() => owner.end())
  // Entering the new leaderboard waits for this lock.
  await owner.query(`
    create function wait_here() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger wait_here before insert on standings for each row
      when (new.campaign_id = '${next.id}') execute function wait_here()`)
  await owner.query('select pg_advisory_lock(1)')
  const starting = syncCampaign(db, next)
  await untilWaiting(db, 1)

  await submitProof({ ...deps, campaign: next }, ann.id, freshProof(), undefined)
  await syncCampaign(db, { ...next, airdrop: { ...next.airdrop, slots: 20_000 } })
  const { slots } = await readCampaign({ db, campaign: next })
  assert.deepEqual(slots, { total: 20_000, left: 19_999 })

  await owner.query('select pg_advisory_unlock(1)')
  await starting
  assert.equal((await readBoard(db, next.id, { page: 1, limit: 10 })).pagination.totalItems, 2)
})

test('a start without changes does not wait for a lock on the campaign', async (t) => {
  const { db } = await testDatabase(t, { timeoutMs: 20_000 })
  await syncCampaign(db, defaults)
  await db.transaction().execute(async (held) => {
    await held.selectFrom('campaigns').select('id').forUpdate().execute()
    await syncCampaign(db, defaults)
  })
})

test('a resumed campaign adds participants who joined meanwhile; a continued one scans none', async (t) => {
  const { db } = await testDatabase(t)
  const next = { ...defaults, id: 'second-airdrop' }
  const board = async () => (await readBoard(db, defaults.id, { page: 1, limit: 10 })).pagination.totalItems
  await syncCampaign(db, defaults)
  await createUsers(db, defaults.id, 3)
  await syncCampaign(db, next)
  await createUsers(db, next.id, 4)
  assert.equal(await board(), 3)
  await syncCampaign(db, defaults)
  assert.equal(await board(), 7)
  const jobs = () => db.selectFrom('jobs').select('id').execute()
  const before = await jobs()
  await syncCampaign(db, defaults)
  assert.deepEqual(await jobs(), before)
})
