import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { testNode } from '#server/testing/deps.ts'
import { exportPerson } from './personal-data.ts'

test('an export does not fail when the Telegram account is disconnected as soon as it has been read', async (t) => {
  const { db, deps } = await testNode(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const account = { user_id: ann.id, telegram_id: 77, username: 'ann_on_telegram' }
  await db.insertInto('telegram_accounts').values(account).execute()
  let isDisconnected = false
  const disconnecting = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!result.rows.some(({ username }) => username === account.username)) return result
      await db.deleteFrom('telegram_accounts').execute()
      isDisconnected = true
      return result
    },
  })
  const { telegram } = await exportPerson({ ...deps, db: disconnecting }, ann.id, { userId: null })
  assert.ok(isDisconnected)
  assert.partialDeepStrictEqual(telegram, { id: 77, username: 'ann_on_telegram' })
})
