import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Deps } from '#server/deps.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { advanceTime } from '#server/testing/advance-time.ts'
import { campaignWith } from '#server/testing/database/races.ts'
import { prefixOf, purgeNetworks, recordNetworkVisit } from './network.ts'

test('returns the /24 of a public IPv4 address and the /64 of a public IPv6 network', () => {
  assert.equal(prefixOf('203.0.113.77'), '203.0.113.0/24')
  assert.equal(prefixOf('2001:db8:1:2::/64'), '2001:db8:1:2::/64')
  const notPublic = ['127.0.0.1', '10.1.2.3', '192.168.0.9', '100.64.0.1', '::1', 'fe80::/64', 'fd00::/64']
  for (const network of [...notPublic, 'unknown', '']) assert.equal(prefixOf(network), undefined, network)
})

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** A participant's network visits in two campaigns. */
async function setUp(t: TestContext) {
  const { db, pool } = await testDatabase(t)
  const closing = await testDeps(db, campaignWith({ closesAt: hoursAgo(-1) }, 'closing')) // In an hour.
  const deps = await testDeps(db)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const visit = (node: Deps, event: 'sign-up' | 'claim', network: string) =>
    inTransaction(db, (tx) => recordNetworkVisit(tx, node, { userId: ann.id, event, network }))
  const readVisits = () =>
    db.selectFrom('network_visits').selectAll().orderBy('event').orderBy('campaign_id').execute()
  return { pool, closing, deps, visit, readVisits }
}

test('stores a hash of the newest public network of a registration and of a claim', async (t) => {
  const { closing, deps, visit, readVisits } = await setUp(t)
  await visit(deps, 'sign-up', '203.0.113.77')
  await visit(deps, 'claim', '203.0.113.78')
  const [claim, signUp = assert.fail()] = await readVisits()
  assert.deepEqual(claim?.prefix, signUp.prefix, 'both addresses are in one /24')
  assert.ok(!signUp.prefix.includes('203.0'))

  await visit(deps, 'claim', '198.51.100.1')
  await visit(deps, 'claim', '10.0.0.1')
  await visit(closing, 'claim', '198.51.100.1')
  const stored = await readVisits()
  const { id } = deps.campaign
  const events = stored.map(({ event, campaign_id }) => `${event} ${campaign_id}`)
  assert.deepEqual(events, ['claim closing', `claim ${id}`, `sign-up ${id}`])
  const prefixes = new Set(stored.map(({ prefix }) => prefix.toString('hex')))
  assert.equal(prefixes.size, 3, 'each campaign has hashes of its own')
})

test('deletes visits a day after the campaign closes, or after 90 days if it is still open', async (t) => {
  const { pool, closing, deps, visit, readVisits } = await setUp(t)
  const readCampaigns = async () => (await readVisits()).map(({ campaign_id }) => campaign_id)
  const { id } = deps.campaign
  await visit(deps, 'sign-up', '203.0.113.77')
  for (const node of [deps, closing]) await visit(node, 'claim', '198.51.100.1')
  const purgeHoursAfterClose = (hours: number) =>
    purgeNetworks({ ...closing, campaign: campaignWith({ closesAt: hoursAgo(hours) }, 'closing') })
  await purgeHoursAfterClose(23)
  assert.deepEqual(await readCampaigns(), ['closing', id, id])
  await purgeHoursAfterClose(25)
  assert.deepEqual(await readCampaigns(), [id, id])
  await advanceTime(pool, '89 days')
  await purgeNetworks(deps)
  assert.deepEqual(await readCampaigns(), [id, id])
  await advanceTime(pool, '2 days')
  await purgeNetworks(deps)
  assert.deepEqual(await readCampaigns(), [])
})

test('deletes visits a day after their campaign closes, even if the next campaign has begun', async (t) => {
  const { closing, deps, visit, readVisits } = await setUp(t)
  const { db } = deps
  for (const node of [deps, closing]) await visit(node, 'claim', '198.51.100.1')
  const isKeptAfter = async (hours: number) => {
    const settings = JSON.stringify(campaignWith({ closesAt: hoursAgo(hours) }, 'closing'))
    await db
      .updateTable('campaigns')
      .set({ settings, archived_at: new Date() })
      .where('id', '=', 'closing')
      .execute()
    await purgeNetworks(deps)
    return (await readVisits()).some(({ campaign_id }) => campaign_id === 'closing')
  }
  assert.equal(await isKeptAfter(23), true)
  assert.equal(await isKeptAfter(25), false)
  assert.equal((await readVisits()).length, 1, 'those of the current campaign stay')
})
