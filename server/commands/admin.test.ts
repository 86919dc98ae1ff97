import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSetupLink } from '#contract/accounts/setup.ts'
import { openDatabase, openPool } from '../platform/database/database.ts'
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { testApi } from '../testing/api.ts'
import { createAdmin, createUsers } from '../testing/builders/create-users.ts'
import { assertFailed, assertSucceeded } from '../testing/checks/commands.ts'
import { LONG_TIMEOUT, testDatabase } from '../testing/database/database.ts'
import { makeInitializedDataDir } from '../testing/database/initialized-data-dir.ts'
import { testNode } from '../testing/deps.ts'
import { type Ended, runCommand } from '../testing/product.ts'
import { runWarm } from '../testing/warm-command.ts'

const PASSPHRASE = 'an administrator passphrase'

const admin = (args: string[], env: Record<string, string>) => runWarm('admin', args, env)
const create = (email: string, username: string) => ['create', '--email', email, '--username', username]

test('creates an administrator in DATA_DIR, with and without a running server', async (t) => {
  const dataDir = await makeInitializedDataDir(t)
  const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: PASSPHRASE }
  const alone = await admin(create('boss@team.example', 'boss'), env)
  assertSucceeded(alone, 'boss was created as an administrator.\n')

  const running = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const pool = openPool(running.url, LONG_TIMEOUT)
  try {
    const beside = await admin(create('second@team.example', 'second'), env)
    assertSucceeded(beside, 'second was created as an administrator.\n')
    const again = await admin(create('second@team.example', 'second'), env)
    assertSucceeded(again, 'second is now an administrator.\n')
    const users = await openDatabase(pool)
      .selectFrom('users')
      .select(['email', 'username', 'role'])
      .orderBy('username')
      .execute()
    assert.deepEqual(users, [
      { email: 'boss@team.example', username: 'boss', role: 'admin' },
      { email: 'second@team.example', username: 'second', role: 'admin' },
    ])
  } finally {
    await pool.end()
    await running.stop()
  }
})

test('reads the password from the terminal without echoing it, and fails without a password', async (t) => {
  const { db, url } = await testDatabase(t)
  const args = create('boss@team.example', 'boss')
  const typed = await runCommand('admin', args, { DATABASE_URL: url }, `${PASSPHRASE}\n`)
  assert.equal(typed.code, 0, typed.err)
  assert.ok(!`${typed.out}${typed.err}`.includes(PASSPHRASE), 'the password is not echoed')
  const env = { DATABASE_URL: url, ADMIN_PASSWORD: '' }
  const untyped = await runCommand('admin', create('new@team.example', 'new'), env)
  assert.equal(untyped.code, 1)
  assert.equal(untyped.err, 'No password given: set ADMIN_PASSWORD, or type one when asked.\n')
  assert.equal((await db.selectFrom('users').selectAll().execute()).length, 1)
})

test('refuses unusable fields, and a reset without two-factor login, in one line', async (t) => {
  const { db, url, deps } = await testNode(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  const env = { DATABASE_URL: url, ADMIN_PASSWORD: PASSPHRASE }
  const email = 'boss@team.example'
  const shortPassword = { ADMIN_PASSWORD: 'fourteen chars' }
  const refusals: [args: string[], line: string, changes?: Record<string, string>][] = [
    [create(email, 'boss'), 'password: Administrators need at least 15 characters.\n', shortPassword],
    [create(email, ann.username), 'username: This username is taken. Please choose another.\n'],
    [create(ann.email, 'boss'), 'username: This email belongs to an account with a different username.\n'],
    [create('boss', 'boss'), 'email: Enter one email address, like name@example.org.\n'],
    [['reset-2fa', ann.email], `No account with the email ${ann.email} has two-factor login turned on.\n`],
  ]
  for (const [args, line, changes] of refusals)
    assertFailed(await admin(args, { ...env, ...changes }), 1, line)
  const users = await db.selectFrom('users').select('role').execute()
  assert.deepEqual(users, [{ role: 'user' }])
})

test('prints a setup link that replaces the previous one, until there is an administrator', async (t) => {
  const api = await testApi(t)
  const env = { DATABASE_URL: api.url, PUBLIC_URL: 'https://site.example/', NODE_ENV: 'production' }
  const [replaced, valid] = [await admin(['link'], env), await admin(['link'], env)]
  const tokenOf = ({ out }: Ended) =>
    /^ {2}https:\/\/site\.example\/setup#token=([\w-]{43})$/m.exec(out)?.[1] ?? assert.fail(out)
  const check = (token: string) => api.call(checkSetupLink, { body: { token } })
  assert.equal((await check(tokenOf(replaced))).body.code, 'setup_link_wrong')
  assert.equal((await check(tokenOf(valid))).status, 200)
  await createAdmin(api)
  assertFailed(await admin(['link'], env), 1, /^There is already an administrator: /)
})
