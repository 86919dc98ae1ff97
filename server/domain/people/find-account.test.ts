import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { findAccount } from './find-account.ts'

test('an operator finds an account by email, username or ID, in any case, or is told what is wrong', async (t) => {
  const { db, deps } = await testNode(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1, {
    username: () => 'ann_arc',
    email: () => 'ann@arc.example',
  })
  for (const who of ['ANN@arc.example', 'ann_arc', 'Ann_Arc', ann.id, ann.id.toUpperCase()])
    assert.deepEqual(await findAccount(db, who), { id: ann.id, username: 'ann_arc' }, who)
  const wrong = {
    'ben@arc.example': 'There is no account with the email ben@arc.example.',
    'ben@@arc.example': 'ben@@arc.example is not an email address.',
    nobody: 'There is no account with the username nobody.',
    '00000000-0000-0000-0000-000000000000':
      'There is no account with the ID 00000000-0000-0000-0000-000000000000.',
    x: 'x is neither an email address nor a username nor an ID.',
  }
  for (const [who, sentence] of Object.entries(wrong)) assert.equal(await findAccount(db, who), sentence)
})
