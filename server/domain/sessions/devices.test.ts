import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { login } from '#contract/accounts/sessions.ts'
import { PASSWORD, testApi, type Answer, type TestApi } from '#server/testing/api.ts'
import { wrongCode } from '#server/testing/account-api.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { deriveKeys } from '#server/platform/secrets.ts'
import { deviceFor, knownDevice } from './devices.ts'

const keys = deriveKeys('a secret of the tests, long enough to be one')
const owner = (id: string, password_hash = 'a hash') => ({ id, password_hash })

test('knows a device for the accounts it logged in to, until their password changes', () => {
  const cookie = deviceFor(keys, owner('ann'), undefined)
  const name = knownDevice(keys, owner('ann'), cookie)
  assert.match(name ?? '', /^[\w-]{22}$/)
  assert.equal(knownDevice(keys, owner('ben'), cookie), undefined)
  assert.equal(knownDevice(keys, owner('ann', 'another hash'), cookie), undefined)
  const others = deriveKeys('another secret, as long as the first one')
  assert.equal(knownDevice(others, owner('ann'), cookie), undefined)
  assert.equal(knownDevice(keys, undefined, cookie), undefined)
  const both = deviceFor(keys, owner('ben'), cookie)
  for (const id of ['ann', 'ben']) assert.equal(knownDevice(keys, owner(id), both), name, id)
  assert.equal(deviceFor(keys, owner('ben'), both), both, 'an account is added once')
})

test('keeps the four most recent accounts of a device', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const cookie = ids.reduce<string | undefined>((before, id) => deviceFor(keys, owner(id), before), undefined)
  const known = ids.filter((id) => knownDevice(keys, owner(id), cookie) !== undefined)
  assert.deepEqual(known, ['b', 'c', 'd', 'e'])
  assert.ok((cookie ?? '').length < 200)
})

test('ignores a truncated or altered cookie', () => {
  const cookie = deviceFor(keys, owner('ann'), undefined)
  const [name, seal = ''] = cookie.split('.')
  const truncated = ['', name, seal, `.${seal}`, `${name}.`, `${name}.${seal.slice(1)}`]
  const forged = 'A'.repeat(43)
  const altered = [`${'A'.repeat(22)}.${seal}`, `${name}.${forged}`, `${cookie}.`, `${cookie}x`]
  const tooLong = [name, forged, forged, forged, forged, seal].join('.')
  for (const other of [undefined, ...truncated, ...altered, tooLong]) {
    assert.equal(knownDevice(keys, owner('ann'), other), undefined, other)
    assert.ok(knownDevice(keys, owner('ann'), deviceFor(keys, owner('ann'), other)), other)
  }
})

/** The device cookie set by a reply. */
const deviceOf = ({ headers }: Answer): string => {
  const cookies = [headers['set-cookie']].flat().map(String)
  return cookies.find((cookie) => cookie.startsWith('device='))?.split(';')[0] ?? ''
}

type From = { email: string; password?: string; ip?: string; cookie?: string }

const enter = (api: TestApi, { email, password = PASSWORD, ip, cookie }: From) =>
  api.call(login, {
    body: { email, password },
    ...(ip ? { ip } : {}),
    ...(cookie ? { headers: { cookie } } : {}),
  })

async function failLogins(api: TestApi, times: number, from: From): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1)
    statuses.push((await enter(api, { ...from, password: 'a wrong password' })).status)
  return statuses
}

/** A participant with a known device, on an API with real hashes but instant comparison. */
async function withKnownDevice(t: Parameters<typeof testApi>[0]) {
  const api = await testApi(t)
  const { hash } = api.deps.hasher
  const passwords = new Map<string, string>()
  api.deps.hasher = {
    async hash(password, salt) {
      const encoded = await hash(password, salt)
      passwords.set(encoded, password)
      return encoded
    },
    matches: async (password, ...encoded) => encoded.map((one) => passwords.get(one) === password),
    verifyDummy: async () => {},
  }
  const { email, token } = await createUserWithPassword(api)
  const cookie = deviceOf(await enter(api, { email }))
  return { api, email, token, cookie }
}

test('lets a known device log in although strangers have locked the account and the network', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  const ip = '192.0.2.7'
  await failLogins(api, 11, { email })
  await failLogins(api, 7, { email, ip })
  for (let other = 0; other < 30; other += 1)
    await failLogins(api, 1, { email: `a${other}@mail.example`, ip })
  assert.equal((await enter(api, { email })).status, 429, 'a stranger with the right password')
  assert.equal((await enter(api, { email, ip, cookie })).status, 200)
})

test('counts ten wrong passwords of a device separately from strangers’', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  const tries = await failLogins(api, 11, { email, cookie })
  assert.deepEqual(tries, [...Array.from({ length: 10 }, () => 401), 429])
  assert.equal((await enter(api, { email, cookie })).status, 429)
  const elsewhere = await enter(api, { email })
  assert.equal(elsewhere.status, 200)
  assert.equal((await enter(api, { email, cookie: deviceOf(elsewhere) })).status, 200, 'another device')
  assert.equal((await enter(api, { email, cookie })).status, 429, 'counted per device')
})

test('limits all devices of an account together to sixty logins an hour', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  const another = deviceOf(await enter(api, { email }))
  for (let count = 0; count < 60; count += 1)
    assert.equal((await enter(api, { email, cookie: count % 2 === 0 ? cookie : another })).status, 200)
  assert.equal((await enter(api, { email, cookie })).status, 429)
  assert.equal((await enter(api, { email })).status, 200)
})

test('does not know a device for another account, nor a forged one, and grants no access by one without the password', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  assert.equal((await api.call(accounts.profile, { headers: { cookie } })).status, 401)
  assert.deepEqual(await failLogins(api, 1, { email, cookie }), [401])
  const other = await createUserWithPassword(api)
  await failLogins(api, 11, { email: other.email })
  assert.equal((await enter(api, { email: other.email, cookie })).status, 429)
  await failLogins(api, 11, { email })
  const invented = `device=${'A'.repeat(22)}.${'A'.repeat(43)}`
  assert.equal((await enter(api, { email, cookie: invented })).status, 429)
})

test('voids every device except the current one when the password changes', async (t) => {
  const { api, email, token, cookie } = await withKnownDevice(t)
  const newPassword = 'another long passphrase'
  const body = { currentPassword: PASSWORD, newPassword }
  const changed = await api.call(accounts.changePassword, { body, token })
  assert.equal(changed.status, 200)
  await failLogins(api, 11, { email })
  assert.equal((await enter(api, { email, password: newPassword, cookie })).status, 429)
  assert.equal((await enter(api, { email, password: newPassword, cookie: deviceOf(changed) })).status, 200)
})

test('makes the browser a known device after a reset', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  await api.call(accounts.forgotPassword, { body: { email } })
  const otp = await api.codeFor(email)
  const { body } = await api.call(accounts.verifyOtp, { body: { email, otp } })
  const newPassword = 'another long passphrase'
  const reset = await api.call(accounts.resetPassword, {
    body: { email, newPassword, resetPasswordToken: body['resetPasswordToken'] },
  })
  assert.equal(reset.status, 200)
  await failLogins(api, 11, { email })
  assert.equal((await enter(api, { email, password: newPassword, cookie })).status, 429)
  assert.equal((await enter(api, { email, password: newPassword, cookie: deviceOf(reset) })).status, 200)
})

const forgot = (api: TestApi, email: string, cookie?: string) =>
  api.call(accounts.forgotPassword, { body: { email }, ...(cookie ? { headers: { cookie } } : {}) })

const guess = (api: TestApi, email: string, otp: string, cookie?: string) =>
  api.call(accounts.verifyOtp, { body: { email, otp }, ...(cookie ? { headers: { cookie } } : {}) })

const later = (api: TestApi, time: string) =>
  api.pool.query(
    'update codes set starts_at = starts_at - $1::interval, expires_at = expires_at - $1::interval',
    [time],
  )

test('does not count strangers’ reset codes against a known device', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await forgot(api, email)).status, 200)
    await later(api, '13 minutes')
  }
  assert.equal((await forgot(api, email)).status, 429)
  assert.equal((await forgot(api, email, cookie)).status, 200)
  const body = { email, purpose: 'reset-password' }
  const resend = (headers: Record<string, string>) => api.call(accounts.resendCode, { body, headers })
  assert.equal((await resend({ cookie })).status, 429, 'within the minute')
  await later(api, '61 seconds')
  assert.equal((await resend({})).status, 429)
  assert.equal((await resend({ cookie })).status, 200)
})

test('does not void a device’s code when a stranger requests one', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  await forgot(api, email, cookie)
  const otp = await api.codeFor(email)
  assert.equal((await forgot(api, email)).status, 200)
  assert.notEqual(await api.codeFor(email), otp)
  assert.equal((await api.call(accounts.verifyOtp, { body: { email, otp } })).status, 200)
})

test('exhausts a device’s code by its own five guesses but not by strangers’', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  await forgot(api, email, cookie)
  const otp = await api.codeFor(email)
  for (let count = 1; count <= 6; count += 1)
    assert.equal((await guess(api, email, wrongCode(otp, count))).body.code, 'code_invalid')
  assert.equal((await guess(api, email, otp, cookie)).status, 200)

  await later(api, '61 seconds')
  await forgot(api, email, cookie)
  const second = await api.codeFor(email)
  for (let count = 1; count <= 5; count += 1)
    assert.equal((await guess(api, email, wrongCode(second, count), cookie)).body.code, 'code_invalid')
  const over = await guess(api, email, second, cookie)
  assert.deepEqual([over.status, over.body.code], [429, 'code_exhausted'])
  assert.ok(Number(over.headers['retry-after']) <= 60)
})

test('limits strangers to twenty guesses a day at a device’s codes', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  await forgot(api, email, cookie)
  const otp = await api.codeFor(email)
  for (let count = 1; count <= 20; count += 1)
    assert.equal((await guess(api, email, wrongCode(otp, count))).body.code, 'code_invalid')
  assert.equal((await guess(api, email, otp)).body.code, 'guesses_exhausted')
  assert.equal((await guess(api, email, otp, cookie)).status, 200)
})

test('shares the limit for guesses at a device’s codes among all strangers’ browsers', async (t) => {
  const { api, email, cookie } = await withKnownDevice(t)
  const browsers = []
  for (let count = 0; count < 2; count += 1) {
    const { headers } = await forgot(api, email)
    browsers.push(String(headers['set-cookie']).split(';')[0] ?? '')
    await later(api, '13 minutes')
  }
  await forgot(api, email, cookie)
  const otp = await api.codeFor(email)
  for (let count = 1; count <= 20; count += 1)
    assert.equal(
      (await guess(api, email, wrongCode(otp, count), browsers[count % 2])).body.code,
      'code_invalid',
    )
  // Even the right code is refused.
  for (const browser of browsers)
    assert.equal((await guess(api, email, otp, browser)).body.code, 'code_invalid')
  assert.equal((await guess(api, email, otp, cookie)).status, 200)
})
