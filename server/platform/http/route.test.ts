import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accounts from '#contract/accounts/accounts.ts'
import { leaderboard } from '#contract/leaderboard.ts'
import * as sessions from '#contract/accounts/sessions.ts'
import { testApi } from '../../testing/api.ts'
import { bareApp, testCatalogIn } from '../../testing/bare-app.ts'
import { createUsers } from '../../testing/builders/create-users.ts'
import { testNode } from '../../testing/deps.ts'
import { currentTurn, type Turn } from '../limits/turn.ts'
import { createPublicAnswers } from './public-answers/public-answers.ts'
import { mount, publicRoute, route } from './route.ts'

const HOST = { host: 'localhost:3000' }
const VALID = { username: 'alice', email: 'al@mail.example', password: 'correct horse battery' }

const REQUIRED = 'This field is required.'
const WRONG_TYPE = 'This value has the wrong type.'
const NAME_RULE = 'Use 3 to 20 letters, digits, dots, dashes or underscores.'
const INVALID: [what: string, body: unknown, fields: Record<string, string>][] = [
  ['nothing', undefined, { username: REQUIRED, email: REQUIRED, password: REQUIRED }],
  ['a number for a name', { ...VALID, username: 1 }, { username: WRONG_TYPE }],
  ['null for a name', { ...VALID, username: null }, { username: WRONG_TYPE }],
  ['an operator for an email', { ...VALID, email: { $ne: null } }, { email: WRONG_TYPE }],
  ['a list for a password', { ...VALID, password: ['x'] }, { password: WRONG_TYPE }],
  ['a list', [VALID], { body: WRONG_TYPE }],
  ['text', '"alice"', { body: WRONG_TYPE }],
  ['a short name', { ...VALID, username: 'al' }, { username: NAME_RULE }],
  ['a name with a line break', { ...VALID, username: 'alice\n' }, { username: NAME_RULE }],
  [
    'several mistakes',
    { ...VALID, username: '', password: 'short' },
    { username: NAME_RULE, password: 'Use at least 8 characters.' },
  ],
  ...['role', 'isAdmin', '_id', 'approved', 'pfPoints', 'emailVerified', 'referralCount', 'constructor'].map(
    (name): [string, unknown, Record<string, string>] => [
      `the unknown field ${name}`,
      { ...VALID, [name]: 'admin' },
      { [name]: 'Unknown field.' },
    ],
  ),
  [
    'deep nonsense',
    JSON.stringify({ ...VALID, email: 0 }).replace('0', '['.repeat(5_000) + ']'.repeat(5_000)),
    { email: WRONG_TYPE },
  ],
]

test('rejects invalid input field by field and changes nothing', async (t) => {
  const { inject, db } = await testApi(t)
  for (const [what, body, fields] of INVALID) {
    const payload =
      body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }
    const { status, body: answer } = await inject({
      method: 'POST',
      url: '/api/v1/users/register',
      headers: { ...HOST, 'content-type': 'application/json' },
      ...payload,
    })
    assert.equal(status, 400, what)
    assert.equal(answer.code, 'invalid_input', what)
    assert.equal(answer.message, 'Please check what you entered.', what)
    assert.deepEqual(answer.fields, fields, what)
  }
  for (const table of ['registrations', 'usernames', 'codes', 'jobs', 'rate_limits'] as const)
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
})

test('private replies and refusals are uncacheable and same-origin', async (t) => {
  const { call, db, deps } = await testApi(t)
  const [{ token }] = await createUsers(db, deps.campaign.id, 1)
  const answers = [
    await call(accounts.profile, { token }),
    await call(accounts.profile),
    await call(sessions.login, { body: { email: 'x@mail.example', password: 'x' } }),
    await call(leaderboard, { query: { page: 0 } }),
  ]
  for (const { headers } of answers) {
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.deepEqual([headers['access-control-allow-origin'], headers['etag']], [undefined, undefined])
  }
  const schemes = answers.map(({ status, headers }) => [status, headers['www-authenticate']])
  assert.deepEqual(schemes, [
    [200, undefined],
    [401, 'Bearer'],
    [401, 'Bearer'],
    [400, undefined],
  ])
})

for (const [what, create] of [
  ['a call', route],
  ['a public call', publicRoute],
] as const)
  test(`queues ${what} by its path and the widest network of its caller`, async (t) => {
    const app = bareApp(t)
    const { db, deps } = await testNode(t)
    const turns: Turn[] = []
    const recorded = create(leaderboard, async () => {
      turns.push(currentTurn())
      return { data: [], pagination: { currentPage: 1, totalPages: 1, totalItems: 0 } }
    })
    mount(app, [recorded], {
      db,
      keys: deps.keys,
      authenticate: async () => undefined,
      isHttps: false,
      publicAnswers: createPublicAnswers({ keepForMs: 0 }),
      catalogIn: testCatalogIn,
    })
    const url = `/api/v1${leaderboard.path}`
    for (const remoteAddress of ['192.0.2.1', '2001:db8:1:2:3:4:5:6'])
      await app.inject({ url, remoteAddress })
    assert.deepEqual(turns, [
      { lane: leaderboard.path, caller: '192.0.2.1' },
      { lane: leaderboard.path, caller: '2001:db8:1::/48' },
    ])
  })
