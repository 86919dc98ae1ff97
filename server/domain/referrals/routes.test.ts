import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referral } from '#contract/referrals.ts'
import { testApi } from '#server/testing/api.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'

test('GET /referrals/{code}: returns only the username, ignoring case', async (t) => {
  const api = await testApi(t)
  const [ann] = await createUsers(api.db, api.deps.campaign.id, 1)
  for (const code of [ann.referralCode, ann.referralCode.toLowerCase()]) {
    const { status, body } = await api.call(referral, { params: { code } })
    assert.deepEqual([status, body], [200, { data: { username: ann.username } }])
  }
})

test('GET /referrals/{code}: 404 for an unknown or malformed code and for that of a banned account', async (t) => {
  const api = await testApi(t)
  const [ann, ben] = await createUsers(api.db, api.deps.campaign.id, 2)
  await api.db.updateTable('users').set({ banned_at: new Date() }).where('id', '=', ben.id).execute()
  const ofAnn = [ann.username, ann.id, `${ann.referralCode} `, `${ann.referralCode}%`]
  const malformed = ['%', '_', "' or 1=1 --", '\u0000', 'ſ', 'X'.repeat(41)]
  for (const code of ['NOBODY', ben.referralCode, ...ofAnn, ...malformed]) {
    const { status, body } = await api.call(referral, { params: { code } })
    assert.deepEqual([status, body.code], [404, 'referral_not_found'], code)
  }
})
