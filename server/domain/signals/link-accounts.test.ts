import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, type Tx } from '#server/platform/database/database.ts'
import { createUsers, type TestUser } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { untilWaiting } from '#server/testing/races.ts'
import { connectedComponents, linkAccounts } from './link-accounts.ts'

const groups = (...pairs: string[]) =>
  connectedComponents(pairs.map((pair) => ({ older: pair.charAt(0), newer: pair.charAt(1) })))
    .map((group) => group.toSorted().join(''))
    .toSorted()

test('groups connected accounts, whatever the order of the pairs', () => {
  assert.deepEqual(groups(), [])
  assert.deepEqual(groups('ab', 'cd'), ['ab', 'cd'])
  assert.deepEqual(groups('ab', 'cd', 'bc'), ['abcd'])
  assert.deepEqual(groups('cd', 'ad', 'ab', 'ad'), ['abcd'])
  assert.deepEqual(groups('ab', 'bc', 'ca', 'xy'), ['abc', 'xy'])
})

test('accounts linked while another link of one of them is being made end up in one cluster', async (t) => {
  const { db, deps } = await testNode(t)
  const { campaign } = deps
  const [ann, ben, cleo] = await createUsers(db, campaign.id, 3)
  const link = (tx: Tx, one: TestUser, other: TestUser) =>
    linkAccounts(tx, {
      campaignId: campaign.id,
      userId: one.id,
      signals: [{ kind: 'email-alias', linkedTo: [other.id] }],
    })
  const meanwhile = await inTransaction(db, async (tx) => {
    await link(tx, ben, ann)
    const second = inTransaction(db, (otherTx) => link(otherTx, cleo, ben))
    second.catch(() => {})
    await untilWaiting(db, 1)
    return { second }
  })
  await meanwhile.second
  const clusters = db.selectFrom('clusters').select(['user_id', 'cluster_id']).orderBy('user_id')
  const expected = [ann, ben, cleo].map(({ id }) => ({ user_id: id, cluster_id: ann.id }))
  assert.deepEqual(await clusters.execute(), expected)
})
