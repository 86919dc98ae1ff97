import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { login, logout, logoutAll } from '#contract/accounts/sessions.ts'
import { appeal, listClaimants } from '#contract/claims/claims.ts'
import { createAdministrator } from '../domain/accounts/create-administrator.ts'
import { logRoleChanges } from '../domain/journal/record.ts'
import { sealJournal } from '../domain/journal/seal.ts'
import { newToken } from '../platform/secrets.ts'
import { accountApi, EMAIL, wrongCode } from '../testing/account-api.ts'
import { NEW_PASSWORD, PASSWORD } from '../testing/api.ts'
import { createUsers } from '../testing/builders/create-users.ts'
import { logLines } from '../testing/checks/log-lines.ts'
import { solve } from '../testing/solve.ts'

const IP = '198.51.100.77'
const FROM = { ip: IP, headers: { 'user-agent': 'Somebody’s own browser' } }
const WRONG_PASSWORD = 'not the right password'
const MASKED = 'a•••@mail.example'

/** The API with its log. `createAlice` creates the account of EMAIL, and `enter` logs it in from IP. */
async function apiWithLog(t: TestContext) {
  const logged = logLines()
  const api = await accountApi(t, { log: logged.log })
  let reported = 0
  return {
    ...api,
    logged,
    /** The events since the last call. */
    events: () => {
      const unreported = logged.events().slice(reported)
      reported += unreported.length
      return unreported
    },
    createAlice: async () => {
      const passwordHash = await api.deps.hasher.hash(PASSWORD)
      const account = { username: () => 'alice', email: () => EMAIL, passwordHash }
      const [alice] = await createUsers(api.db, api.deps.campaign.id, 1, account)
      return alice
    },
    enter: async (password: string) => {
      const { body } = await api.call(login, { ...FROM, body: { email: EMAIL, password } })
      return { token: String(body['token']), account: (body.data as { _id: string } | undefined)?._id }
    },
  }
}

type Unlogged = { secrets?: readonly string[]; codes?: readonly string[] }

/** Asserts that the log has none of these texts, and no name, email, password or IP address of the person. */
function assertNothingPersonal({ lines, text }: ReturnType<typeof logLines>, unlogged: Unlogged = {}) {
  const { secrets = [], codes = [] } = unlogged
  const log = text().toLowerCase()
  for (const secret of [EMAIL, PASSWORD, WRONG_PASSWORD, NEW_PASSWORD, 'alice', IP, ...secrets])
    assert.ok(!log.includes(secret.toLowerCase()), secret)
  // A code may occur by chance in a time or a random value.
  const withoutTimes = lines().map(({ time: _time, ms: _ms, pid: _pid, ...others }) => JSON.stringify(others))
  const withoutRandom = withoutTimes.join('\n').replaceAll(/[0-9a-f-]{16,}/g, '')
  for (const code of codes) assert.doesNotMatch(withoutRandom, new RegExp(`(?<!\\d)${code}(?!\\d)`))
}

test('registering, verifying and logging in log one event each, without personal data', async (t) => {
  const { call, codeFor, enter, events, logged, verify, deps } = await apiWithLog(t)
  await call(accounts.register, { ...FROM, body: { username: 'alice', email: EMAIL, password: PASSWORD } })
  assert.deepEqual(events(), ['code asked'])
  await enter(PASSWORD)
  assert.deepEqual(events(), ['login unverified'])
  const code = await codeFor(EMAIL)
  await verify(wrongCode(code))
  await verify(code)
  assert.deepEqual(events(), ['code failed', 'code accepted'])
  await enter(WRONG_PASSWORD)
  const { token, account } = await enter(PASSWORD)
  await enter(PASSWORD)
  assert.deepEqual(events(), ['login failed', 'login ok', 'login ok'])

  assertNothingPersonal(logged, { secrets: [token], codes: [code] })
  assertLoginLines(logged.lines())
  const [success] = logged.lines().filter(({ event, outcome }) => event === 'login' && outcome === 'ok')
  assert.equal(success?.['account'], account ?? assert.fail())
  const counts = deps.security.counts().filter(({ event, outcome }) => event === 'login' && outcome === 'ok')
  assert.deepEqual(counts, [{ event: 'login', outcome: 'ok', count: 2 }])
})

type Lines = ReturnType<ReturnType<typeof logLines>['lines']>

/** Asserts that login events have the masked email, and the same hash of the network as their requests. */
function assertLoginLines(lines: Lines) {
  const logins = lines.filter(({ event }) => event === 'login')
  for (const { email, network, reqId } of logins) {
    assert.equal(email, MASKED)
    assert.match(String(network), /^[0-9a-f]{16}$/)
    assert.equal(network, logins[0]?.['network'], 'a network has one hash')
    const request = lines.find((line) => line.msg === 'request' && line['reqId'] === reqId)
    assert.partialDeepStrictEqual(request, { path: '/api/v1/users/login', network })
  }
}

test('a session logs a wrong password, a denied call and its end', async (t) => {
  const { call, createAlice, enter, events, logged } = await apiWithLog(t)
  await createAlice()
  const { token, account } = await enter(PASSWORD)
  assert.deepEqual(events(), ['login ok'])
  const body = { currentPassword: WRONG_PASSWORD, newPassword: NEW_PASSWORD }
  await call(accounts.changePassword, { token, body })
  await call(listClaimants, { token })
  await call(logout, { token })
  assert.deepEqual(events(), ['password failed', 'access denied', 'session ended'])
  const denied = logged.lines().find(({ event }) => event === 'access')
  assert.partialDeepStrictEqual(denied, { account, call: 'GET /api/v1/users/' })
  assertNothingPersonal(logged, { secrets: [token] })
})

test('each step of resetting a password logs one event', async (t) => {
  const { call, codeFor, createAlice, enter, events, exchange, forgot, logged, reset } = await apiWithLog(t)
  await createAlice()
  await forgot()
  await forgot()
  assert.deepEqual(events(), ['code asked', 'code limited'])
  const code = await codeFor(EMAIL)
  const resetToken = (await exchange(code)).body['resetPasswordToken'] as string
  await reset(newToken())
  await reset(resetToken, NEW_PASSWORD)
  assert.deepEqual(events(), ['code accepted', 'password failed', 'password reset'])
  const { token } = await enter(NEW_PASSWORD)
  await call(logoutAll, { token })
  assert.deepEqual(events(), ['login ok', 'session ended'])
  assertNothingPersonal(logged, { secrets: [resetToken, token], codes: [code] })
})

test('a code that is guessed too often is logged as exhausted, and too many logins as limited', async (t) => {
  const { codeFor, createAlice, enter, events, exchange, forgot, logged } = await apiWithLog(t)
  await createAlice()
  await forgot()
  const code = await codeFor(EMAIL)
  for (let guesses = 0; guesses < 6; guesses += 1) await exchange(wrongCode(code))
  assert.deepEqual(events(), ['code asked', ...Array<string>(5).fill('code failed'), 'code exhausted'])
  for (let tries = 0; tries < 7; tries += 1) await enter(WRONG_PASSWORD)
  assert.equal(events().at(-1), 'login limited')
  assertNothingPersonal(logged, { codes: [code] })
  assertLoginLines(logged.lines())
})

test('refused input is logged without its values', async (t) => {
  const { call, events, logged } = await apiWithLog(t)
  const searched = { search: 'victim.person@mail.example', token: 'a-bearer-in-the-wrong-place' }
  await call(listClaimants, { query: searched })
  await call(accounts.register, { ...FROM, body: { ...searched, email: 'nobody.known' } })
  assert.deepEqual(events(), ['input refused'], 'not to be logged in is no event')
  assertNothingPersonal(logged, { secrets: [searched.search, 'victim', searched.token] })
})

test('past a rate limit, each fate of a challenge is an event', async (t) => {
  const { call, events } = await apiWithLog(t)
  const ask = (email: string, headers: Record<string, string> = {}) =>
    call(accounts.forgotPassword, { ip: IP, body: { email }, headers })
  for (const local of ['a', 'b', 'c']) await ask(`${local}@mail.example`)
  assert.deepEqual(events(), ['code asked', 'code asked', 'code asked'])
  const refused = await ask('d@mail.example')
  await ask('d@mail.example', { 'x-challenge': 'no-solution' })
  await ask('d@mail.example', await solve(refused.body['challenge'] as Parameters<typeof solve>[0]))
  assert.deepEqual(events(), ['challenge given', 'challenge failed', 'challenge passed', 'code asked'])
})

test('hitting a rate limit without a challenge is an event', async (t) => {
  const { call, createAlice, events } = await apiWithLog(t)
  const { token } = await createAlice()
  const claim = { params: { taskId: '01990000-0000-7000-8000-000000000001' }, body: { text: 'Why?' } }
  while ((await call(appeal, { token, ...claim })).status !== 429);
  assert.deepEqual(events(), ['limit hit'])
})

test('a change of a role is logged once, when the journal is sealed', async (t) => {
  const { createAlice, db, deps, events, logged } = await apiWithLog(t)
  const { id: account } = await createAlice()
  const password = 'an administrator passphrase'
  await createAdministrator(deps, { email: EMAIL, username: 'alice', password })
  await createAdministrator(deps, { email: 'new@team.example', username: 'new-one', password })
  for (const _seal of ['first', 'second'])
    await sealJournal(db, (entries) => logRoleChanges(deps.security, entries))
  assert.deepEqual(events(), ['role changed', 'role changed'], 'one event for each administrator')
  const [line] = logged.lines().filter(({ event }) => event === 'role')
  assert.partialDeepStrictEqual(line, { account, by: null, role: 'admin' })
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
