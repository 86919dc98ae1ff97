import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts.ts'
import { login } from '#contract/sessions.ts'
import { PASSWORD, testApi, type Answer, type TestApi } from '../testing/api.ts'
import { wrong } from '../testing/account-api.ts'
import { member } from '../testing/members.ts'
import { deriveKeys } from '../platform/secrets.ts'
import { deviceFor, knownDevice } from './devices.ts'

const keys = deriveKeys('a secret of the tests, long enough to be one')
const owner = (id: string, password_hash = 'a hash') => ({ id, password_hash })

test('a device is known to the accounts it logged in to, until their password changes', () => {
  const held = deviceFor(keys, owner('ann'), undefined)
  const name = knownDevice(keys, owner('ann'), held)
  assert.match(name ?? '', /^[\w-]{22}$/)
  assert.equal(knownDevice(keys, owner('ben'), held), undefined)
  assert.equal(knownDevice(keys, owner('ann', 'another hash'), held), undefined)
  assert.equal(
    knownDevice(deriveKeys('another secret, as long as the first one'), owner('ann'), held),
    undefined,
  )
  assert.equal(knownDevice(keys, undefined, held), undefined)
  const both = deviceFor(keys, owner('ben'), held)
  for (const id of ['ann', 'ben']) assert.equal(knownDevice(keys, owner(id), both), name, id)
  assert.equal(deviceFor(keys, owner('ben'), both), both, 'once each')
})

test('a device is known to the last four accounts, and stays short', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  const held = ids.reduce<string | undefined>((before, id) => deviceFor(keys, owner(id), before), undefined)
  assert.deepEqual(
    ids.filter((id) => knownDevice(keys, owner(id), held) !== undefined),
    ['b', 'c', 'd', 'e'],
  )
  assert.ok((held ?? '').length < 200)
})

test('what was not given as a whole is nobody’s', () => {
  const held = deviceFor(keys, owner('ann'), undefined)
  const [name, seal = ''] = held.split('.')
  for (const other of [
    undefined,
    '',
    name,
    seal,
    `.${seal}`,
    `${name}.`,
    `${'A'.repeat(22)}.${seal}`,
    `${name}.${'A'.repeat(43)}`,
    `${held}.`,
    `${held}x`,
    `${name}.${seal.slice(1)}`,
    `${name}.${'A'.repeat(43)}.${'A'.repeat(43)}.${'A'.repeat(43)}.${'A'.repeat(43)}.${seal}`,
  ]) {
    assert.equal(knownDevice(keys, owner('ann'), other), undefined, other)
    assert.ok(knownDevice(keys, owner('ann'), deviceFor(keys, owner('ann'), other)), other)
  }
})

/** What a browser sends after this answer. */
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

async function wrongly(api: TestApi, times: number, from: From): Promise<number[]> {
  const statuses: number[] = []
  for (let count = 0; count < times; count += 1)
    statuses.push((await enter(api, { ...from, password: 'a wrong password' })).status)
  return statuses
}

/** A member and the device of theirs, on an API that compares at once: its hashes are real ones. */
async function known(t: Parameters<typeof testApi>[0]) {
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
  const { email, token } = await member(api)
  const cookie = deviceOf(await enter(api, { email }))
  return { api, email, token, cookie }
}

test('whoever logged in here before is not locked out by strangers: not on the account, nor beside them', async (t) => {
  const { api, email, cookie } = await known(t)
  const ip = '192.0.2.7'
  await wrongly(api, 11, { email })
  await wrongly(api, 7, { email, ip })
  for (let other = 0; other < 30; other += 1) await wrongly(api, 1, { email: `a${other}@mail.example`, ip })
  assert.equal((await enter(api, { email })).status, 429, 'a stranger with the right password')
  assert.equal((await enter(api, { email, ip, cookie })).status, 200)
})

test('a device has its own ten wrong passwords, and those are not the strangers’', async (t) => {
  const { api, email, cookie } = await known(t)
  const tries = await wrongly(api, 11, { email, cookie })
  assert.deepEqual(tries, [...Array.from({ length: 10 }, () => 401), 429])
  assert.equal((await enter(api, { email, cookie })).status, 429)
  const elsewhere = await enter(api, { email })
  assert.equal(elsewhere.status, 200)
  assert.equal((await enter(api, { email, cookie: deviceOf(elsewhere) })).status, 200, 'another device')
  assert.equal((await enter(api, { email, cookie })).status, 429, 'counted by device')
})

test('all devices of an account together have sixty logins an hour', async (t) => {
  const { api, email, cookie } = await known(t)
  const another = deviceOf(await enter(api, { email }))
  for (let count = 0; count < 60; count += 1)
    assert.equal((await enter(api, { email, cookie: count % 2 === 0 ? cookie : another })).status, 200)
  assert.equal((await enter(api, { email, cookie })).status, 429)
  assert.equal((await enter(api, { email })).status, 200)
})

test('a device is known to nobody else’s account, and by nothing that was made up', async (t) => {
  const { api, email, cookie } = await known(t)
  const other = await member(api)
  await wrongly(api, 11, { email: other.email })
  assert.equal((await enter(api, { email: other.email, cookie })).status, 429)
  await wrongly(api, 11, { email })
  const invented = `device=${'A'.repeat(22)}.${'A'.repeat(43)}`
  assert.equal((await enter(api, { email, cookie: invented })).status, 429)
})

test('the device gives no other right: without the password it is nobody', async (t) => {
  const { api, email, cookie } = await known(t)
  assert.equal((await api.call(accounts.profile, { headers: { cookie } })).status, 401)
  assert.deepEqual(await wrongly(api, 1, { email, cookie }), [401])
})

test('a changed password forgets every device but the one it was changed on', async (t) => {
  const { api, email, token, cookie } = await known(t)
  const newPassword = 'another long passphrase'
  const changed = await api.call(accounts.changePassword, {
    body: { currentPassword: PASSWORD, newPassword },
    token,
  })
  assert.equal(changed.status, 200)
  await wrongly(api, 11, { email })
  assert.equal((await enter(api, { email, password: newPassword, cookie })).status, 429)
  assert.equal((await enter(api, { email, password: newPassword, cookie: deviceOf(changed) })).status, 200)
})

test('a reset makes the browser it was done in a known one', async (t) => {
  const { api, email, cookie } = await known(t)
  await api.call(accounts.forgotPassword, { body: { email } })
  const otp = await api.codeFor(email)
  const { body } = await api.call(accounts.verifyOtp, { body: { email, otp } })
  const newPassword = 'another long passphrase'
  const reset = await api.call(accounts.resetPassword, {
    body: { email, newPassword, resetPasswordToken: body['resetPasswordToken'] },
  })
  assert.equal(reset.status, 200)
  await wrongly(api, 11, { email })
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

test('strangers who ask for reset codes take none from a device that logged in before', async (t) => {
  const { api, email, cookie } = await known(t)
  for (let count = 0; count < 10; count += 1) {
    assert.equal((await forgot(api, email)).status, 200)
    await later(api, '13 minutes')
  }
  assert.equal((await forgot(api, email)).status, 429)
  assert.equal((await forgot(api, email, cookie)).status, 200)
  const resend = (headers?: Record<string, string>) =>
    api.call(accounts.resendCode, {
      body: { email, purpose: 'reset-password' },
      ...(headers ? { headers } : {}),
    })
  assert.equal((await resend({ cookie })).status, 429, 'within the minute')
  await later(api, '61 seconds')
  assert.equal((await resend()).status, 429)
  assert.equal((await resend({ cookie })).status, 200)
})

test('a stranger who asks for a code does not void the one that the device asked for', async (t) => {
  const { api, email, cookie } = await known(t)
  await forgot(api, email, cookie)
  const otp = await api.codeFor(email)
  assert.equal((await forgot(api, email)).status, 200)
  assert.notEqual(await api.codeFor(email), otp)
  assert.equal((await api.call(accounts.verifyOtp, { body: { email, otp } })).status, 200)
})

test('strangers who guess do not use up the code that the device asked for; five guesses of its own do', async (t) => {
  const { api, email, cookie } = await known(t)
  await forgot(api, email, cookie)
  const otp = await api.codeFor(email)
  for (let count = 1; count <= 6; count += 1)
    assert.equal((await guess(api, email, wrong(otp, count))).body.code, 'code_invalid')
  assert.equal((await guess(api, email, otp, cookie)).status, 200)

  await later(api, '61 seconds')
  await forgot(api, email, cookie)
  const second = await api.codeFor(email)
  for (let count = 1; count <= 5; count += 1)
    assert.equal((await guess(api, email, wrong(second, count), cookie)).body.code, 'code_invalid')
  const over = await guess(api, email, second, cookie)
  assert.deepEqual([over.status, over.body.code], [429, 'code_exhausted'])
  assert.ok(Number(over.headers['retry-after']) <= 60)
})

test('strangers who guess have twenty tries a day at the codes of a device as well', async (t) => {
  const { api, email, cookie } = await known(t)
  await forgot(api, email, cookie)
  const otp = await api.codeFor(email)
  for (let count = 1; count <= 20; count += 1)
    assert.equal((await guess(api, email, wrong(otp, count))).body.code, 'code_invalid')
  assert.equal((await guess(api, email, otp)).body.code, 'guesses_exhausted')
  assert.equal((await guess(api, email, otp, cookie)).status, 200)
})

test('however many browsers strangers have, they guess twenty times at the codes of a device', async (t) => {
  const { api, email, cookie } = await known(t)
  const browsers = []
  for (let count = 0; count < 2; count += 1) {
    const { headers } = await forgot(api, email)
    browsers.push(String(headers['set-cookie']).split(';')[0] ?? '')
    await later(api, '13 minutes')
  }
  await forgot(api, email, cookie)
  const otp = await api.codeFor(email)
  for (let count = 1; count <= 20; count += 1)
    assert.equal((await guess(api, email, wrong(otp, count), browsers[count % 2])).body.code, 'code_invalid')
  for (const browser of browsers)
    assert.equal((await guess(api, email, otp, browser)).body.code, 'code_invalid', 'though it is right')
  assert.equal((await guess(api, email, otp, cookie)).status, 200)
})
