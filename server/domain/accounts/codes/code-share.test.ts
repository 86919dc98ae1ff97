import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { accountApi, type AccountApi, EMAIL, cookieOf } from '#server/testing/account-api.ts'
import { PASSWORD } from '#server/testing/api.ts'
import { comparable } from '#server/testing/checks/comparable.ts'

const UNKNOWN = 'nobody@mail.example'

const from = (api: AccountApi) => ({
  forgot: (ip: string, email = EMAIL) => api.call(accounts.forgotPassword, { ip, body: { email } }),
  resend: (ip: string, email = EMAIL) => api.call(accounts.resendCode, { ip, body: { email } }),
  register: (ip: string, username: string, cookie?: string) => {
    const body = { username, email: EMAIL, password: PASSWORD }
    return api.call(accounts.register, { ip, body, ...(cookie ? { headers: { cookie } } : {}) })
  },
})

for (const [name, requestCode] of [
  ['reset', (api, ip, email) => from(api).forgot(ip, email)],
  ['verification', (api, ip, email) => from(api).resend(ip, email)],
] as [string, (api: AccountApi, ip: string, email?: string) => ReturnType<AccountApi['call']>][]) {
  test(`limits a network to three ${name} codes a day for an email, without limiting other networks`, async (t) => {
    const api = await accountApi(t)
    await api.createAccount()
    await api.advance('2 days')
    for (let count = 0; count < 3; count += 1) {
      for (const email of [EMAIL, UNKNOWN])
        assert.equal((await requestCode(api, '192.0.2.1', email)).status, 200)
      await api.advance('21 minutes')
    }
    const refused = [await requestCode(api, '192.0.2.1'), await requestCode(api, '192.0.2.1', UNKNOWN)]
    const codes = refused.map(({ status, body }) => [status, body.code])
    assert.deepEqual(codes, [
      [429, 'code_cooldown'],
      [429, 'code_cooldown'],
    ])
    assert.equal(new Set(refused.map(comparable)).size, 1)
    assert.ok(Number(refused[0]?.headers['retry-after']) > 80_000)
    assert.equal((await requestCode(api, '192.0.2.2')).status, 200)
    await api.advance('1 day')
    assert.equal((await requestCode(api, '192.0.2.1')).status, 200)
  })
}

test('limits an IPv6 /48 to five codes a day across its networks', async (t) => {
  const api = await accountApi(t)
  await api.createAccount()
  const statuses = []
  for (let count = 0; count < 6; count += 1) {
    statuses.push((await from(api).forgot(`2001:db8:0:${count}00::1`)).status)
    await api.advance('16 minutes')
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  assert.equal((await from(api).forgot('2001:db8:1::1')).status, 200)
})

test('saves three registrations a day of a network for an email, with the same reply to further ones', async (t) => {
  const api = await accountApi(t)
  const ip = '192.0.2.1'
  for (let count = 0; count < 4; count += 1) {
    assert.equal((await from(api).register(ip, `theirs${count}`)).status, 201)
    await api.advance('21 minutes')
  }
  assert.deepEqual(await api.pendingNames(), ['theirs0', 'theirs1', 'theirs2'])
  assert.equal((await from(api).register('192.0.2.2', 'mine')).status, 201)
  assert.deepEqual(await api.pendingNames(), ['theirs1', 'theirs2', 'mine'])
  assert.equal((await api.verify(await api.codeFor(EMAIL))).status, 200)
})

test('refunds the share of a registration that is replaced before its email is sent', async (t) => {
  const api = await accountApi(t)
  const ip = '192.0.2.1'
  const cookie = cookieOf(await from(api).register(ip, 'first'))
  for (const name of ['second', 'third', 'fourth', 'fifth']) {
    // Lift the endpoint's own rate limit.
    await api.pool.query(`delete from rate_limits where key like '/users/register %'`)
    assert.equal((await from(api).register(ip, name, cookie)).status, 201)
  }
  assert.deepEqual(await api.pendingNames(), ['first', 'fifth'])
})
