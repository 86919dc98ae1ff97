import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockByName } from '#server/platform/database/advisory-lock.ts'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { meetAtLock, tally, twoNodes } from '#server/testing/database/races.ts'
import { deleteAccount } from '../accounts/deletion/delete-account.ts'
import { connectedComponents, linkAccounts } from './link-accounts.ts'

/** The groups that pairs such as `ab` form, as sorted letters. */
const groupsOf = (...pairs: string[]) =>
  connectedComponents(pairs.map((pair) => ({ older: pair.charAt(0), newer: pair.charAt(1) })))
    .map((group) => group.toSorted().join(''))
    .toSorted()

test('groups connected accounts, whatever the order of the pairs', () => {
  assert.deepEqual(groupsOf(), [])
  assert.deepEqual(groupsOf('ab', 'cd'), ['ab', 'cd'])
  assert.deepEqual(groupsOf('ab', 'cd', 'bc'), ['abcd'])
  assert.deepEqual(groupsOf('cd', 'ad', 'ab', 'ad'), ['abcd'])
  assert.deepEqual(groupsOf('ab', 'bc', 'ca', 'xy'), ['abc', 'xy'])
})

const link = (tx: Tx, campaignId: string, one: TestUser, other: TestUser) =>
  linkAccounts(tx, { campaignId, userId: one.id, signals: [{ kind: 'email-alias', linkedTo: [other.id] }] })

test('race: links that two transactions add at once form one cluster', async (t) => {
  const { db, deps } = await testNode(t)
  const { campaign } = deps
  const [ann, ben, cleo] = await createUsers(db, campaign.id, 3)
  // The first link holds the lock until its transaction ends.
  const [linking] = await meetAtLock(db, (tx) => link(tx, campaign.id, ben, ann), [
    () => inTransaction(db, (tx) => link(tx, campaign.id, cleo, ben)),
  ])
  await linking
  const clusters = db.selectFrom('clusters').select(['user_id', 'cluster_id']).orderBy('user_id')
  const expected = [ann, ben, cleo].map(({ id }) => ({ user_id: id, cluster_id: ann.id }))
  assert.deepEqual(await clusters.execute(), expected)
})

test('race: leaves no link to an account that is deleted while another is linked to it', async (t) => {
  const [{ db, campaign }, other] = await twoNodes(t)
  const [ann, ben, cleo] = await createUsers(db, campaign.id, 3)
  const linkToAnn = (from: TestUser) => inTransaction(db, (tx) => link(tx, campaign.id, from, ann))
  await linkToAnn(ben)
  const calls = await meetAtLock<unknown>(db, (tx) => lockByName(tx, `clusters of ${campaign.id}`), [
    () => linkToAnn(cleo),
    () => deleteAccount(other, { userId: ann.id, by: ann.id }),
  ])
  assert.deepEqual(await tally(calls), { done: 2 })
  const clusters = db.selectFrom('clusters').select('user_id').where('user_id', '=', ann.id)
  assert.deepEqual(await clusters.execute(), [])
})
