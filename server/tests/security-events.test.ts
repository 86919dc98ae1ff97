import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { login, logout, logoutAll } from '#contract/accounts/sessions.ts'
import { appeal, listSubmissions } from '#contract/claims/claims.ts'
import { createAdministrator } from '../domain/accounts/create-administrator.ts'
import { logRoleChanges } from '../domain/journal/record.ts'
import { sealJournal } from '../domain/journal/seal.ts'
import { accountApi, EMAIL, wrongCode } from '../testing/account-api.ts'
import { PASSWORD } from '../testing/api.ts'
import { logLines } from '../testing/checks/log-lines.ts'
import { solve } from '../testing/solve.ts'

const IP = '198.51.100.77'
const NEXT_PASSWORD = 'another long passphrase'
const MASKED = 'a•••@mail.example'

/** The API, its log, and the events since the last call. */
async function apiWithLog(t: TestContext) {
  const logged = logLines()
  const api = await accountApi(t, { log: logged.log })
  let reported = 0
  const events = () => {
    const unreported = logged.events().slice(reported)
    reported += unreported.length
    return unreported
  }
  return { ...api, logged, events }
}

test('each step of an account’s life logs one event, without personal data', async (t) => {
  const api = await apiWithLog(t)
  const { call, logged, events, codeFor, advance } = api
  const codes: string[] = []
  const secrets: string[] = [EMAIL, 'al@mail', PASSWORD, NEXT_PASSWORD, 'alice', IP]
  const from = { ip: IP, headers: { 'user-agent': 'Somebody’s own browser' } }
  const enter = (password: string, email = EMAIL) => call(login, { ...from, body: { email, password } })

  await call(accounts.register, { ...from, body: { username: 'alice', email: EMAIL, password: PASSWORD } })
  assert.deepEqual(events(), ['code asked'])
  await enter(PASSWORD)
  assert.deepEqual(events(), ['login unverified'])
  const code = await codeFor(EMAIL)
  codes.push(code)
  await api.verify(wrongCode(code))
  await api.verify(code)
  assert.deepEqual(events(), ['code failed', 'code accepted'])

  await enter('not the right password')
  const { body } = await enter(PASSWORD)
  assert.deepEqual(events(), ['login failed', 'login ok'])
  const token = body['token'] as string
  const account = (body.data as { _id: string })._id
  secrets.push(token)
  await call(accounts.changePassword, {
    token,
    body: { currentPassword: 'not the right password', newPassword: NEXT_PASSWORD },
  })
  await call(listSubmissions, { token })
  await call(logout, { token })
  assert.deepEqual(events(), ['password failed', 'access denied', 'session ended'])
  const denied = logged.lines().find(({ event }) => event === 'access')
  assert.deepEqual([denied?.['account'], denied?.['call']], [account, 'GET /api/v1/users/'])

  await api.forgot()
  await api.forgot()
  assert.deepEqual(events(), ['code asked', 'code limited'])
  const resetCode = await codeFor(EMAIL)
  codes.push(resetCode)
  const resetToken = (await api.exchange(resetCode)).body['resetPasswordToken'] as string
  secrets.push(resetToken)
  await api.reset('A'.repeat(43))
  await api.reset(resetToken, NEXT_PASSWORD)
  const second = (await enter(NEXT_PASSWORD)).body['token'] as string
  secrets.push(second)
  await call(logoutAll, { token: second })
  assert.deepEqual(events(), [
    'code accepted',
    'password failed',
    'password reset',
    'login ok',
    'session ended',
  ])

  await advance('1 day')
  await api.forgot()
  const exhausted = wrongCode(await codeFor(EMAIL))
  for (let guesses = 0; guesses < 6; guesses += 1) await api.exchange(exhausted)
  assert.deepEqual(events(), [
    'code asked',
    ...Array.from({ length: 5 }, () => 'code failed'),
    'code exhausted',
  ])
  await advance('1 day')
  for (let tries = 0; tries < 7; tries += 1) await enter('not the right password')
  assert.deepEqual(events().at(-1), 'login limited')

  const searched = { search: 'victim.person@mail.example', token: 'a-bearer-in-the-wrong-place' }
  secrets.push(searched.search, 'victim', searched.token)
  await call(listSubmissions, { query: searched })
  await call(accounts.register, { ...from, body: { ...searched, email: 'nobody.known' } })
  assert.deepEqual(events(), ['input refused'])

  const text = logged.text().toLowerCase()
  for (const secret of secrets) assert.ok(!text.includes(secret.toLowerCase()), secret)
  const words = logged.lines().map(({ time: _time, ms: _ms, pid: _pid, ...rest }) => JSON.stringify(rest))
  // Any six digits may occur by chance in a random value.
  const said = words.join('\n').replaceAll(/[0-9a-f-]{16,}/g, '')
  for (const mailed of codes) assert.doesNotMatch(said, new RegExp(`(?<!\\d)${mailed}(?!\\d)`))
  const ofLogin = logged.lines().filter(({ event }) => event === 'login')
  for (const line of ofLogin) {
    assert.equal(line['email'], MASKED)
    assert.match(String(line['network']), /^[0-9a-f]{16}$/)
    assert.equal(line['network'], ofLogin[0]?.['network'], 'one hash per network')
    const request = logged.lines().find(({ msg, reqId }) => msg === 'request' && reqId === line['reqId'])
    assert.deepEqual([request?.['path'], request?.['network']], ['/api/v1/users/login', line['network']])
  }
  assert.equal(ofLogin.find(({ outcome }) => outcome === 'ok')?.['account'], account)
  const counted = api.deps.security
    .counts()
    .find(({ event, outcome }) => `${event} ${outcome}` === 'login ok')
  assert.equal(counted?.count, 2)
})

test('logs rate limits, challenges and role changes as events', async (t) => {
  const api = await apiWithLog(t)
  const { call, events, logged } = api
  const ask = (email: string, headers: Record<string, string> = {}) =>
    call(accounts.forgotPassword, { ip: IP, body: { email }, headers })
  for (const local of ['a', 'b', 'c']) await ask(`${local}@mail.example`)
  assert.deepEqual(events(), ['code asked', 'code asked', 'code asked'])
  const refused = await ask('d@mail.example')
  await ask('d@mail.example', { 'x-challenge': 'bm8=' })
  await ask('d@mail.example', await solve(refused.body['challenge'] as Parameters<typeof solve>[0]))
  assert.deepEqual(events(), ['challenge given', 'challenge failed', 'challenge passed', 'code asked'])

  await api.createAccount()
  const { token } = await api.logIn(EMAIL, PASSWORD)
  events()
  let last = 0
  while (last !== 429) {
    const claim = { params: { taskId: '01990000-0000-7000-8000-000000000001' }, body: { text: 'Why?' } }
    last = (await call(appeal, { token, ...claim })).status
  }
  assert.deepEqual(events(), ['limit hit'])

  const { user } = await api.administrator()
  await createAdministrator(api.deps, {
    email: EMAIL,
    username: 'alice',
    password: 'an administrator passphrase',
  })
  events()
  for (const _twice of [1, 2])
    await sealJournal(api.db, (entries) => logRoleChanges(api.deps.security, entries))
  assert.deepEqual(events(), ['role changed', 'role changed'])
  const [line] = logged.lines().filter(({ event }) => event === 'role')
  assert.deepEqual([line?.['account'], line?.['by'], line?.['role']], [user._id, null, 'admin'])
})

test('caller input cannot forge a log line', async (t) => {
  const { logged, app } = await apiWithLog(t)
  const forged = '{"level":30,"event":"login","outcome":"ok"}'
  for (const url of [
    `/api/v1/users/leaderboard?page=%0d%0a${encodeURIComponent(forged)}`,
    `/nothing/%0d%0a${encodeURIComponent(forged)}`,
    `/nothing?${encodeURIComponent(`\r\n${forged}`)}=1`,
  ])
    await app.inject({ url, headers: { host: 'localhost:3000', 'user-agent': `x\r\n${forged}` } })
  assert.equal(logged.text().trim().split('\n').length, logged.lines().length)
  assert.ok(!logged.events().includes('login ok'))
  assert.ok(!logged.text().includes('outcome\\":\\"ok'))
})
