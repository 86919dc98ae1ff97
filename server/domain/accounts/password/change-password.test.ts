import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { changePassword, profile } from '#contract/accounts/accounts.ts'
import { answerRoleOffer, deleteOwnAccount, exportOwnData } from '#contract/accounts/own-account.ts'
import { beginTwoFactor, endTwoFactor } from '#contract/accounts/two-factor.ts'
import { type AccountApi, accountApi, EMAIL } from '#server/testing/account-api.ts'
import { NEW_PASSWORD, PASSWORD } from '#server/testing/api.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { refusalOf } from '#server/testing/checks/refusals.ts'
import { INVALID, outcomeOf } from '#server/testing/code-purposes.ts'

const change = (api: AccountApi, token: string, body: Record<string, unknown> = {}) =>
  api.call(changePassword, { token, body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...body } })

async function setUp(t: TestContext) {
  const api = await accountApi(t)
  const { token } = await api.createAccount()
  return { api, token }
}

test('sets the password if the current one is right, ends every other session and mails the owner', async (t) => {
  const { api, token } = await setUp(t)
  const refused = await change(api, token, { currentPassword: 'not the current one' })
  assert.deepEqual(refusalOf(refused), [400, 'current_password_wrong'])
  assert.deepEqual(refused.body.fields, { currentPassword: 'Your current password is wrong.' })
  assert.equal(await api.loginOutcome(PASSWORD), 'logged_in')
  assert.equal(await api.loginOutcome(NEW_PASSWORD), 'credentials_invalid')
  assert.deepEqual(await api.mailsTo(EMAIL), [])

  const other = (await api.logIn(EMAIL, PASSWORD)).token
  const { status, body } = await change(api, token)
  assert.deepEqual([status, body], [200, { message: 'Password changed successfully!' }])
  assert.equal((await api.call(profile, { token })).status, 200)
  assert.equal((await api.call(profile, { token: other })).status, 401)
  assert.equal(await api.loginOutcome(PASSWORD), 'credentials_invalid')
  assert.equal(await api.loginOutcome(NEW_PASSWORD), 'logged_in')
  assert.match((await api.newestMailTo(EMAIL)).subject, /was changed/)
})

test('applies the password rules, with the longer minimum for administrators', async (t) => {
  const { api, token } = await setUp(t)
  const boss = await createUserWithPassword(api, { role: 'admin' })
  const reasonFor = async (bearer: string, newPassword: string) =>
    (await change(api, bearer, { newPassword })).body.fields?.['newPassword']
  assert.match((await reasonFor(token, 'alice-2026')) ?? '', /too easy to guess/)
  assert.match((await reasonFor(boss.token, 'fourteen chars')) ?? '', /at least 15 characters/)
  assert.equal(await reasonFor(boss.token, 'fifteen chars !'), undefined)
})

test('voids the reset tokens and reset codes from before', async (t) => {
  const { api, token } = await setUp(t)
  const resetToken = await api.createResetToken()
  await api.forgot()
  const code = await api.codeFor(EMAIL)
  assert.equal((await change(api, token)).status, 200)
  assert.equal((await api.reset(resetToken, 'a third passphrase')).body.code, 'reset_token_invalid')
  assert.deepEqual(outcomeOf(await api.exchange(code)), INVALID)
  assert.equal(await api.loginOutcome(NEW_PASSWORD), 'logged_in')
})

test('refuses the change if a reset commits after the current password was compared', async (t) => {
  const { api, token } = await setUp(t)
  const resetToken = await api.createResetToken()
  const { matches } = api.deps.hasher
  const resetAfterComparing: typeof matches = async (...comparison) => {
    const result = await matches(...comparison)
    assert.equal((await api.reset(resetToken, 'the password of the reset')).status, 200)
    return result
  }
  t.mock.method(api.deps.hasher, 'matches', resetAfterComparing, { times: 1 })
  assert.deepEqual(refusalOf(await change(api, token)), [400, 'current_password_wrong'])
  assert.equal(await api.loginOutcome(NEW_PASSWORD), 'credentials_invalid')
  assert.equal(await api.loginOutcome('the password of the reset'), 'logged_in')
})

test('limits a session to ten passwords in 15 minutes, over all calls that take one', async (t) => {
  const { api, token } = await setUp(t)
  const password = 'a wrong guess'
  const tries = [
    () => change(api, token, { currentPassword: password }),
    () => api.call(exportOwnData, { token, body: { password } }),
    () => api.call(deleteOwnAccount, { token, body: { password, confirmation: 'x' } }),
    () =>
      api.call(answerRoleOffer, {
        token,
        body: { answer: 'accept', currentPassword: password, newPassword: `${NEW_PASSWORD} of mine` },
      }),
    () => api.call(beginTwoFactor, { token, body: { password } }),
    () => api.call(endTwoFactor, { token, body: { password, otp: '123456' } }),
  ]
  const tenTries = [...tries, ...tries.slice(0, 4)]
  for (const tryPassword of tenTries) assert.notEqual((await tryPassword()).status, 429)
  for (const tryPassword of tries) assert.deepEqual(refusalOf(await tryPassword()), [429, 'rate_limited'])
  await api.advance('15 minutes 1 second')
  assert.equal((await change(api, token)).status, 200)
})
