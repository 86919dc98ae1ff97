import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountApi } from '#server/testing/account-api.ts'
import { PASSWORD } from '#server/testing/api.ts'
import { purgeExpired } from './purge.ts'

test('deletes what has expired, except codes that the daily limit still counts', async (t) => {
  const api = await accountApi(t)
  await api.register({ username: 'old', email: 'old@mail.example' })
  await api.createAccount('settled', 'settled@mail.example')
  await api.exchangedToken('settled@mail.example')
  await api.advance('24 hours 1 minute')
  await api.register({ username: 'fresh', email: 'fresh@mail.example' })

  await purgeExpired(api.db)
  assert.deepEqual(await api.pendingNames(), ['fresh'])
  const names = await api.db.selectFrom('usernames').select('key').orderBy('key').execute()
  assert.deepEqual(names, [{ key: 'fresh' }, { key: 'settled' }])
  const resetTokens = await api.db.selectFrom('reset_tokens').selectAll().execute()
  assert.deepEqual(resetTokens, [], 'the exchanged token has expired')
  const readCodes = async () => {
    const codes = await api.db.selectFrom('codes').select('email_key').execute()
    return codes.map(({ email_key }) => email_key)
  }
  await api.advance('23 hours 59 minutes')
  await purgeExpired(api.db)
  assert.ok((await readCodes()).includes('fresh@mail.example'), 'the daily limit still counts the code')

  await api.advance('3 days')
  await purgeExpired(api.db)
  assert.deepEqual(await readCodes(), [])
  assert.equal(await api.loginOutcome(PASSWORD, 'settled@mail.example'), 'logged_in')
})
