import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { untilWaiting } from '#server/testing/database/races.ts'
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

test('race: links that two transactions make at once lead to one cluster', async (t) => {
  const { db, deps } = await testNode(t)
  const { campaign } = deps
  const [ann, ben, cleo] = await createUsers(db, campaign.id, 3)
  const link = (tx: Tx, one: TestUser, other: TestUser) =>
    linkAccounts(tx, {
      campaignId: campaign.id,
      userId: one.id,
      signals: [{ kind: 'email-alias', linkedTo: [other.id] }],
    })
  // In an object, so that it is not awaited: it waits for this transaction.
  const { linking } = await inTransaction(db, async (tx) => {
    await link(tx, ben, ann)
    const result = inTransaction(db, (otherTx) => link(otherTx, cleo, ben))
    result.catch(() => {})
    await untilWaiting(db, 1)
    return { linking: result }
  })
  await linking
  const clusters = db.selectFrom('clusters').select(['user_id', 'cluster_id']).orderBy('user_id')
  const expected = [ann, ben, cleo].map(({ id }) => ({ user_id: id, cluster_id: ann.id }))
  assert.deepEqual(await clusters.execute(), expected)
})
