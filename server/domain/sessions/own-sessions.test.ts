import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contract from '#contract/accounts/own-sessions.ts'
import { profile } from '#contract/accounts/accounts.ts'
import { login } from '#contract/accounts/sessions.ts'
import { PASSWORD, testApi, type TestApi } from '#server/testing/api.ts'
import { cookieOf } from '#server/testing/account-api.ts'
import { createUserWithPassword } from '#server/testing/builders/users-with-password.ts'
import { coarseNetwork, deviceOf } from './origin.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('quotes only the browser family and the system of a User-Agent header', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const names: Record<string, string | null> = {
    [FIREFOX]: 'Firefox on Linux',
    [`${chrome} Edg/140.0`]: 'Edge on Windows',
    [chrome]: 'Chrome on Windows',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1':
      'Safari on iOS',
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36':
      'Chrome on Android',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15':
      'Safari on macOS',
    'curl/8.9 <script>': null,
    '': null,
  }
  for (const [header, name] of Object.entries(names)) assert.equal(deviceOf(header), name, header)
  assert.equal(deviceOf(undefined), null)
})

test('reads a long hostile header in little time', () => {
  const maxMicroseconds = 200_000
  for (const piece of ['1', 'Version/1', 'Windows Version/1. ', 'Chrome '])
    for (const start of ['', 'Version/']) {
      const header = (start + piece.repeat(15_000)).slice(0, 15_000)
      const before = process.cpuUsage()
      deviceOf(header)
      assert.ok(process.cpuUsage(before).user < maxMicroseconds, `${start}${piece} repeated`)
    }
})

test('shows a network without its last part', () => {
  assert.equal(coarseNetwork('192.0.2.77'), '192.0.2.…')
  assert.equal(coarseNetwork('2001:db8:12:34::'), '2001:db8:12:…')
  assert.equal(coarseNetwork('2001:db8:12:34::/64'), '2001:db8:12:…')
  assert.equal(coarseNetwork('::'), '0:0:0:…')
  assert.equal(coarseNetwork('unknown'), null)
})

const enter = async (api: TestApi, email: string, agent?: string) => {
  const headers = agent ? { 'user-agent': agent } : {}
  const { body } = await api.call(login, { body: { email, password: PASSWORD }, ip: '192.0.2.77', headers })
  return body['token'] as string
}

const sessionsOf = async (api: TestApi, token: string) =>
  (await api.call(contract.listSessions, { token })).body.data as contract.OwnSession[]

const statusOf = async (api: TestApi, token: string) => (await api.call(profile, { token })).status

test('an account sees and ends its own unexpired sessions, shown with device and network', async (t) => {
  const api = await testApi(t)
  const [ann, ben] = [await createUserWithPassword(api), await createUserWithPassword(api)]
  const token = await enter(api, ann.email, FIREFOX)
  const listed = await sessionsOf(api, token)
  assert.equal(listed.length, 2, 'with the session from creating the account')
  const [current, ...others] = listed.filter(({ isCurrent }) => isCurrent)
  assert.partialDeepStrictEqual(current, { device: 'Firefox on Linux', network: '192.0.2.…' })
  assert.deepEqual(others, [])
  assert.equal((await sessionsOf(api, ben.token)).length, 1)
  // Only the session from creating the account has no device.
  const expiring = `update sessions set last_seen_at = now() - interval '25 hours' where user_id = $1 and device is null`
  await api.pool.query(expiring, [ann.id])
  assert.equal((await sessionsOf(api, token)).length, 1)

  const [second, third] = [await enter(api, ann.email), await enter(api, ann.email)]
  const secondSession = (await sessionsOf(api, second)).find(({ isCurrent }) => isCurrent)
  const params = { id: secondSession?.id ?? '' }
  assert.equal((await api.call(contract.endOneSession, { token: ben.token, params })).status, 200)
  assert.equal(await statusOf(api, second), 200, 'nobody ends another’s session')
  assert.equal((await api.call(contract.endOneSession, { token, params })).status, 200)
  assert.equal(await statusOf(api, second), 401)

  assert.equal((await api.call(contract.endOtherSessions, { token })).status, 200)
  assert.equal(await statusOf(api, third), 401)
  assert.equal((await sessionsOf(api, token)).length, 1)
  assert.equal((await sessionsOf(api, ben.token)).length, 1)
})

test('an administrator is mailed only when a new device logs in', async (t) => {
  const api = await testApi(t)
  const [ann, adm] = [await createUserWithPassword(api), await createUserWithPassword(api)]
  await api.pool.query(`update users set role = 'admin' where id = $1`, [adm.id])
  const readMails = async (email: string) =>
    (await api.mailsTo(email)).filter(({ subject }) => subject.startsWith('A new device'))
  const body = { email: adm.email, password: PASSWORD }
  const headers = { 'user-agent': FIREFOX }
  const first = await api.call(login, { body, headers, ip: '192.0.2.77' })
  const [mail, ...others] = await readMails(adm.email)
  assert.deepEqual(others, [])
  assert.match(mail?.text ?? '', /Firefox on Linux, network 192\.0\.2\.…, \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)

  await api.call(login, { body, headers, cookie: cookieOf(first) })
  assert.equal((await readMails(adm.email)).length, 1, 'a known device causes no email')
  await api.call(login, { body: { ...body, password: 'wrong' } })
  assert.equal((await readMails(adm.email)).length, 1, 'a failed login causes no email')
  await api.call(login, { body })
  assert.equal((await readMails(adm.email)).length, 2, 'a browser without the cookie is a new device')
  await enter(api, ann.email)
  assert.deepEqual(await readMails(ann.email), [], 'no email to a participant')
})
