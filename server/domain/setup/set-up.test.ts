import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { profile } from '#contract/accounts/accounts.ts'
import { reviewSummary } from '#contract/dashboard/review.ts'
import { checkSetupLink, setUp as setUpEndpoint } from '#contract/accounts/setup.ts'
import type { Database } from '#server/platform/database/database.ts'
import { hashToken } from '#server/platform/secrets.ts'
import { testApi, type TestApi } from '#server/testing/api.ts'
import { ROUNDS, tally, twoNodes, untilWaiting } from '#server/testing/database/races.ts'
import { createAdministrator } from '../accounts/create-administrator.ts'
import { lockSetupLinks, makeSetupLink } from './links.ts'
import { setUp } from './set-up.ts'

const PASSPHRASE = 'an administrator passphrase'
const BOSS = { email: 'boss@team.example', username: 'boss', password: PASSPHRASE }
const OTHER = { email: 'other@team.example', username: 'other-one' }

const submit = (api: TestApi, token: string, changes: Partial<typeof BOSS> = {}) =>
  api.call(setUpEndpoint, { body: { ...BOSS, ...changes, token } })
const check = (api: TestApi, token: string) => api.call(checkSetupLink, { body: { token } })
const newLink = async (db: Database, options = {}) =>
  (await makeSetupLink(db, options)) ?? assert.fail('There is an administrator.')
const backdateLinks = (db: Database, by: string) =>
  db
    .updateTable('setup_links')
    .set({ created_at: sql`created_at - ${by}::interval` })
    .execute()
const administratorsOf = async (db: Database) => {
  const administrators = db.selectFrom('users').select('username').where('role', '=', 'admin')
  return (await administrators.orderBy('username').execute()).map(({ username }) => username)
}

test('a setup link creates one administrator, who is logged in', async (t) => {
  const api = await testApi(t)
  const token = await newLink(api.db)
  const created = await submit(api, token)
  assert.equal(created.status, 201, created.text)
  const session = String(created.body['token'])
  assert.equal((await api.call(profile, { token: session })).status, 200)
  assert.equal((await api.call(reviewSummary, { token: session })).status, 200, 'for administrators')
  assert.equal((await api.logIn(BOSS.email, PASSPHRASE)).user.role, 'admin')
  const [entry] = await api.db.selectFrom('journal').select(['action', 'actor', 'after']).execute()
  assert.deepEqual(entry, { action: 'role.changed', actor: null, after: { role: 'admin' } })
  assert.equal((await submit(api, token, OTHER)).body.code, 'setup_link_used')
  assert.equal((await check(api, token)).body.code, 'setup_link_used')
  assert.deepEqual(await administratorsOf(api.db), ['boss'])
})

test('after setting up in a browser, the session token is refused without the binding cookie', async (t) => {
  const api = await testApi(t)
  const headers = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }
  const created = await api.call(setUpEndpoint, { body: { ...BOSS, token: await newLink(api.db) }, headers })
  assert.match(String(created.headers['set-cookie']), /binding/i)
  const { binding_hash } = await api.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
  assert.ok(binding_hash)
  assert.equal((await api.call(profile, { token: String(created.body['token']) })).status, 401)
})

test('a link that is expired, made up, replaced or forgotten is refused with the reason', async (t) => {
  const api = await testApi(t)
  const expired = await newLink(api.db)
  await backdateLinks(api.db, '30 minutes 1 second')
  const replaced = await newLink(api.db)
  const open = await newLink(api.db)
  assert.equal((await check(api, replaced)).status, 200)
  for (const [token, code] of [
    [expired, 'setup_link_expired'],
    ['A'.repeat(43), 'setup_link_wrong'],
    ['x', 'setup_link_wrong'],
  ] as const) {
    const [checked, used] = [await check(api, token), await submit(api, token)]
    assert.equal(checked.body.code, code)
    assert.equal(used.body.code, code)
    assert.equal(checked.body.message, used.body.message)
  }
  const newest = await newLink(api.db, { replacesOthers: true })
  for (const token of [replaced, open]) assert.equal((await check(api, token)).body.code, 'setup_link_wrong')
  assert.equal((await check(api, newest)).status, 200)
  await backdateLinks(api.db, '7 days 1 second')
  await newLink(api.db)
  assert.equal((await check(api, newest)).body.code, 'setup_link_wrong', 'a link is forgotten after a week')
  assert.deepEqual(await administratorsOf(api.db), [])
})

test('a refused email, username or password leaves the link usable', async (t) => {
  const api = await testApi(t)
  const token = await newLink(api.db)
  assert.match(token, /^[\w-]{43}$/)
  const { rows } = await sql<{ row: string }>`select l::text as row from setup_links l`.execute(api.db)
  assert.equal(rows.length, 1)
  assert.ok(rows[0]?.row.includes(hashToken(token).toString('hex')))
  assert.ok(!rows[0]?.row.includes(token), 'only a hash of the token is stored')
  for (const password of ['short', 'fourteen chars']) {
    const { status, body } = await submit(api, token, { password })
    const fields = { password: 'Administrators need at least 15 characters.' }
    assert.deepEqual([status, body.fields], [400, fields], password)
  }
  for (const change of [{ username: 'x' }, { email: 'boss' }]) {
    const { status, body } = await submit(api, token, change)
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body.fields ?? {}), Object.keys(change))
  }
  assert.equal((await submit(api, token)).status, 201)
})

test('no link is made or usable once there is an administrator, banned or not', async (t) => {
  const api = await testApi(t)
  const token = await newLink(api.db)
  await createAdministrator(api.deps, BOSS)
  for (const bannedAt of [null, new Date()]) {
    await api.db.updateTable('users').set({ banned_at: bannedAt }).execute()
    assert.equal((await submit(api, token, OTHER)).body.code, 'setup_done')
    assert.equal(await makeSetupLink(api.db), undefined)
  }
})

test('a network that guesses tokens is refused beyond the rate limit', async (t) => {
  const api = await testApi(t)
  const body = { ...BOSS, token: 'A'.repeat(43) }
  const codes: (string | undefined)[] = []
  const take = setUpEndpoint.limits?.[0]?.take ?? assert.fail()
  while (codes.length < take + 1)
    codes.push((await api.call(setUpEndpoint, { body, ip: '192.0.2.77' })).body.code)
  assert.equal(codes.pop(), 'rate_limited')
  assert.deepEqual([...new Set(codes)], ['setup_link_wrong'])
})

test('race: at most one use of two setup links creates an administrator, and none after a command', async (t) => {
  const [one, other] = await twoNodes(t)
  for (let round = 0; round < ROUNDS; round += 1) {
    const hasCommand = round % 2 === 1
    const [token, otherToken] = [await newLink(one.db), await newLink(other.db)]
    const account = (name: string) => {
      const username = `${name}-${round}`
      return { email: `${username}@team.example`, username, password: PASSPHRASE }
    }
    // All calls queue for this lock, and go on when the transaction ends.
    const calls = await one.db.transaction().execute(async (tx) => {
      await lockSetupLinks(tx)
      const started = [
        setUp(one, { ...account('ann'), token }, {}),
        setUp(other, { ...account('ben'), token }, {}),
        setUp(other, { ...account('cat'), token: otherToken }, {}),
        ...(hasCommand ? [createAdministrator(one, account('command'))] : []),
      ]
      for (const call of started) call.catch(() => {})
      await untilWaiting(one.db, started.length)
      return started
    })
    const { done = 0, ...refused } = await tally(calls)
    // A command succeeds even after a link was used, but no link can be used after a command.
    assert.ok(done === 1 || (hasCommand && done === 2), JSON.stringify({ done, refused }))
    const administrators = await administratorsOf(one.db)
    const byLink = administrators.filter((name) => !name.startsWith('command'))
    assert.ok(byLink.length <= 1, administrators.join())
    for (const code of Object.keys(refused)) assert.match(code, /^setup_(link_used|done)$/)
    await one.db.updateTable('users').set({ role: 'user' }).execute()
  }
})
