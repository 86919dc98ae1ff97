import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '#server/platform/database/database.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testDatabase } from '#server/testing/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { advanceTime } from '#server/testing/advance-time.ts'
import { campaignWith } from '#server/testing/races.ts'
import { recordNetworkVisit, prefixOf, purgeNetworks } from './network.ts'

test('returns the /24 or /64 of public addresses only', () => {
  assert.equal(prefixOf('203.0.113.77'), '203.0.113.0/24')
  assert.equal(prefixOf('2001:db8:1:2::/64'), '2001:db8:1:2::/64')
  for (const inner of [
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.9',
    '100.64.0.1',
    '::1',
    'fe80::/64',
    'fd00::/64',
    'unknown',
    '',
  ])
    assert.equal(prefixOf(inner), undefined, inner)
})

test('stores one keyed hash each for registration and claim, and deletes it in time', async (t) => {
  const { db, pool } = await testDatabase(t)
  const closing = await testDeps(
    db,
    campaignWith({ closesAt: new Date(Date.now() + 3_600_000).toISOString() }, 'closing'),
  )
  const deps = await testDeps(db)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const visit = (
    given: Parameters<typeof recordNetworkVisit>[1],
    event: 'sign-up' | 'claim',
    network: string,
  ) => inTransaction(db, (tx) => recordNetworkVisit(tx, given, { userId: ann.id, event, network }))
  await visit(deps, 'sign-up', '203.0.113.77')
  await visit(deps, 'claim', '203.0.113.78')
  await visit(deps, 'claim', '198.51.100.1')
  await visit(deps, 'claim', '10.0.0.1')
  await visit(closing, 'claim', '198.51.100.1')
  const kept = async () => await db.selectFrom('network_visits').selectAll().orderBy('event').execute()
  const [first, second, other] = await kept()
  assert.equal((await kept()).length, 3)
  assert.ok(!JSON.stringify(await kept()).includes('203.0'))
  assert.notDeepEqual(first?.prefix, second?.prefix, 'the hash of a network differs between campaigns')
  assert.equal(other?.event, 'sign-up')
  await purgeNetworks(closing)
  assert.equal((await kept()).length, 3)
  await purgeNetworks({ ...closing, campaign: campaignWith({ closesAt: '2026-02-01T00:00:00Z' }, 'closing') })
  const campaigns = (await kept()).map((row) => row.campaign_id)
  assert.deepEqual(campaigns, [deps.campaign.id, deps.campaign.id])
  await advanceTime(pool, '91 days')
  await purgeNetworks(deps)
  assert.deepEqual(await kept(), [])
})
