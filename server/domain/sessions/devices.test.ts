import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { login } from '#contract/accounts/sessions.ts'
import { PASSWORD, type Answer } from '#server/testing/api.ts'
import { accountApi, cookieOf, wrongCode } from '#server/testing/account-api.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { deriveKeys } from '#server/platform/secrets.ts'
import { deviceFor, knownDevice } from './devices.ts'

const keys = deriveKeys('a secret of the tests, long enough to be one')
const account = (id: string, password_hash = 'a hash') => ({ id, password_hash })

test('knows a device for each account that it logged in to, until that account’s password changes', () => {
  const cookie = deviceFor(keys, account('ann'), undefined)
  const deviceName = knownDevice(keys, account('ann'), cookie)
  assert.match(deviceName ?? '', /^[\w-]{22}$/)
  assert.equal(knownDevice(keys, account('ben'), cookie), undefined)
  assert.equal(knownDevice(keys, account('ann', 'another hash'), cookie), undefined)
  const otherKeys = deriveKeys('another secret, as long as the first one')
  assert.equal(knownDevice(otherKeys, account('ann'), cookie), undefined)
  assert.equal(knownDevice(keys, undefined, cookie), undefined)
  const both = deviceFor(keys, account('ben'), cookie)
  for (const id of ['ann', 'ben']) assert.equal(knownDevice(keys, account(id), both), deviceName, id)
  assert.equal(deviceFor(keys, account('ben'), both), both, 'an account is added once')
})

test('keeps the four most recent accounts of a device', () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  let cookie = ''
  for (const id of ids) cookie = deviceFor(keys, account(id), cookie)
  const knownIds = ids.filter((id) => knownDevice(keys, account(id), cookie) !== undefined)
  assert.deepEqual(knownIds, ['b', 'c', 'd', 'e'])
  assert.ok(cookie.length < 200, 'the cookie stays short')
})

test('ignores a truncated, altered or overlong cookie', () => {
  const cookie = deviceFor(keys, account('ann'), undefined)
  const [name, seal = ''] = cookie.split('.')
  const truncated = ['', name, seal, `.${seal}`, `${name}.`, `${name}.${seal.slice(1)}`]
  const forgedSeal = 'A'.repeat(43)
  const altered = [`${'A'.repeat(22)}.${seal}`, `${name}.${forgedSeal}`, `${cookie}.`, `${cookie}x`]
  const tooLong = [name, forgedSeal, forgedSeal, forgedSeal, forgedSeal, seal].join('.')
  for (const other of [undefined, ...truncated, ...altered, tooLong]) {
    assert.equal(knownDevice(keys, account('ann'), other), undefined, other)
    assert.ok(knownDevice(keys, account('ann'), deviceFor(keys, account('ann'), other)), other)
  }
})

const deviceOf = ({ headers }: Answer): string => {
  const cookies = [headers['set-cookie']].flat().map(String)
  return cookies.find((cookie) => cookie.startsWith('device='))?.split(';')[0] ?? ''
}

type Attempt = { email?: string; password?: string; ip?: string; cookie?: string }

/** `cookie` is of a device that has logged in to the account. */
async function withKnownDevice(t: TestContext) {
  const api = await accountApi(t)
  const owner = await createUserWithPassword(api)
  /** Logs in, by default as the owner without a cookie. */
  const enter = ({ email = owner.email, password = PASSWORD, ...from }: Attempt = {}) =>
    api.call(login, { body: { email, password }, ...from })
  const failLogins = async (times: number, attempt: Attempt = {}) => {
    const statuses: number[] = []
    for (let count = 0; count < times; count += 1)
      statuses.push((await enter({ ...attempt, password: 'a wrong password' })).status)
    return statuses
  }
  const cookie = deviceOf(await enter())
  const forgot = (device?: string) => api.forgot(owner.email, device)
  const readCode = () => api.codeFor(owner.email)
  const guess = (code: string, device?: string) => api.exchange(code, owner.email, device)
  /** Without a browser's cookie, a new stranger makes each guess. */
  const guessWrongly = async (times: number, code: string, browser?: string) => {
    for (let count = 1; count <= times; count += 1)
      assert.equal((await guess(wrongCode(code, count), browser)).body.code, 'code_invalid')
  }
  return { ...api, ...owner, cookie, enter, failLogins, forgot, readCode, guess, guessWrongly }
}

test('lets a known device log in while strangers have locked the account and the network', async (t) => {
  const { addToCount, enter, failLogins, cookie } = await withKnownDevice(t)
  const ip = '192.0.2.7'
  // The limits are ten for an account, and six a minute and thirty an hour for a network.
  await failLogins(11)
  assert.equal((await enter()).status, 429, 'a stranger is refused even with the right password')
  assert.deepEqual(await failLogins(7, { email: 'nobody@mail.example', ip }), [...Array(6).fill(401), 429])
  await addToCount(`login network hour ${ip}`, 30)
  assert.equal((await enter({ ip, cookie })).status, 200)
})

test('counts a known device’s ten wrong passwords separately from those of strangers', async (t) => {
  const { enter, failLogins, cookie } = await withKnownDevice(t)
  assert.deepEqual(await failLogins(11, { cookie }), [...Array<number>(10).fill(401), 429])
  assert.equal((await enter({ cookie })).status, 429)
  const elsewhere = await enter()
  assert.equal(elsewhere.status, 200)
  assert.equal((await enter({ cookie: deviceOf(elsewhere) })).status, 200, 'another device can log in')
  assert.equal((await enter({ cookie })).status, 429, 'the first device is still locked')
})

test('limits all devices of an account together to sixty logins an hour', async (t) => {
  const { addToCount, enter, cookie } = await withKnownDevice(t)
  const another = deviceOf(await enter())
  for (const device of [cookie, another]) assert.equal((await enter({ cookie: device })).status, 200)
  await addToCount('logins of devices account %', 57) // With the two above, one of sixty is left.
  assert.equal((await enter({ cookie })).status, 200)
  assert.equal((await enter({ cookie })).status, 429)
  assert.equal((await enter()).status, 200, 'a stranger has a limit of their own')
})

test('a changed or reset password voids every device except the one that set it', async (t) => {
  const { call, createResetToken, reset, enter, failLogins, email, token, cookie } = await withKnownDevice(t)
  const change = (newPassword: string) =>
    call(accounts.changePassword, { token, body: { currentPassword: PASSWORD, newPassword } })
  let knownCookie = cookie
  for (const [password, replaceBy] of [
    ['a changed passphrase', change],
    ['a reset passphrase', async (changed: string) => reset(await createResetToken(email), changed, email)],
  ] as const) {
    const replaced = await replaceBy(password)
    assert.equal(replaced.status, 200, replaced.text)
    await failLogins(11) // locks out strangers
    assert.equal((await enter({ password, cookie: knownCookie })).status, 429, password)
    knownCookie = deviceOf(replaced)
    assert.equal((await enter({ password, cookie: knownCookie })).status, 200, password)
  }
})

test('does not count strangers’ reset codes against a known device', async (t) => {
  const { advance, resend, forgot, email, cookie } = await withKnownDevice(t)
  const codesPerHour = 5
  for (let count = 0; count < codesPerHour; count += 1) {
    assert.equal((await forgot()).status, 200)
    await advance('61 seconds')
  }
  assert.equal((await forgot()).status, 429)
  assert.equal((await forgot(cookie)).status, 200)
  const resendTo = async (device?: string) => (await resend(email, 'reset-password', device)).status
  assert.equal(await resendTo(cookie), 429, 'a device has to wait a minute, too')
  await advance('61 seconds')
  assert.equal(await resendTo(), 429, 'strangers have used up their codes')
  assert.equal(await resendTo(cookie), 200)
})

test('a device’s code is exhausted by the device’s five guesses, but neither by guesses nor by new codes of strangers', async (t) => {
  const { advance, forgot, readCode, guess, guessWrongly, cookie } = await withKnownDevice(t)
  await forgot(cookie)
  const code = await readCode()
  assert.equal((await forgot()).status, 200)
  assert.notEqual(await readCode(), code)
  await guessWrongly(6, code)
  assert.equal((await guess(code)).status, 200)

  await advance('61 seconds')
  await forgot(cookie)
  const nextCode = await readCode()
  await guessWrongly(5, nextCode, cookie)
  const { status, body, headers } = await guess(nextCode, cookie)
  assert.deepEqual([status, body.code], [429, 'code_exhausted'])
  assert.ok(Number(headers['retry-after']) <= 60, 'a new code may be requested within a minute')
})

test('locks out strangers but not the device after twenty guesses at the device’s code', async (t) => {
  const { forgot, readCode, guess, guessWrongly, cookie } = await withKnownDevice(t)
  await forgot(cookie)
  const code = await readCode()
  await guessWrongly(20, code)
  assert.equal((await guess(code)).body.code, 'guesses_exhausted')
  assert.equal((await guess(code, cookie)).status, 200)
})

test('shares the limit for guesses at a device’s codes among all strangers’ browsers', async (t) => {
  const { advance, addToCount, forgot, readCode, guess, guessWrongly, cookie } = await withKnownDevice(t)
  const one = cookieOf(await forgot())
  await advance('61 seconds')
  const another = cookieOf(await forgot())
  await forgot(cookie)
  const code = await readCode()
  await guessWrongly(1, code, one)
  await addToCount('strangers at codes of devices %', 18) // One of twenty is left.
  await guessWrongly(1, code, another)
  // Even the right code is refused.
  for (const browser of [one, another]) assert.equal((await guess(code, browser)).body.code, 'code_invalid')
  assert.equal((await guess(code, cookie)).status, 200)
})
