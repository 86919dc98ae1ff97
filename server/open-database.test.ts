import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { openConfiguredDatabase } from './open-database.ts'
import { type Database, sqlState } from './platform/database/database.ts'
import { startEmbeddedPostgres } from './platform/database/embedded-postgres.ts'
import { SERVING_ROLE } from './platform/database/embedded/cluster.ts'
import { newId } from './platform/database/ids.ts'
import { Misconfigured } from './platform/misconfigured.ts'
import { configFrom } from './testing/config.ts'
import { schemaBefore, testDatabase, twoRoles, urlWith } from './testing/database/database.ts'
import { startPooler } from './testing/fakes/pooler.ts'
import { ANY_ENTRY, recordEntries, assertSealed } from './testing/journal.ts'
import { makeInitializedDataDir } from './testing/database/initialized-data-dir.ts'
import { atEnd, makeDataDir } from './testing/product.ts'
import { until } from './testing/until.ts'

/** Each append-only table with one of its columns. */
const APPEND_ONLY = {
  ledger: 'amount',
  journal: 'actor',
  journal_seals: 'hash',
  journal_heads: 'hash',
  payout_freezes: 'root',
  payout_rows: 'pf',
  payout_shares: 'pf_points',
  payout_left_out: 'pf',
  payout_chunks: 'bytes',
  payout_thaws: 'reason',
  payout_payments: 'amount',
  payout_notices: 'asset',
  token_proof_changes: 'claim',
}
const FORBIDDEN = [
  ...Object.entries(APPEND_ONLY).flatMap(([table, column]) => [
    `update ${table} set ${column} = ${column}`,
    `delete from ${table}`,
    `truncate ${table}`,
    `truncate ${table} cascade`,
    `alter table ${table} disable trigger all`,
    `alter table ${table} disable trigger ${table}_append_only`,
    `alter table ${table} owner to current_user`,
    `drop trigger ${table}_append_only on ${table}`,
    `drop table ${table} cascade`,
  ]),
  'truncate users cascade',
  'truncate claims cascade',
  `update journal_details set content = '{}'`,
  'truncate journal_details',
  'delete from journal_pending',
  'insert into journal_pending select id from journal',
  `update migrations set sha256 = ''`,
  'create or replace function append_only() returns trigger language plpgsql as $$ begin return null; end $$',
  'create table mine (a int)',
  `set session_replication_role = 'replica'`,
  'set role dropwright',
]

async function assertAppendOnly(db: Database): Promise<void> {
  for (const statement of FORBIDDEN) {
    const isForbidden = (error: unknown) =>
      sqlState(error) === '42501' && /permission denied|must be owner/.test(String(error))
    await assert.rejects(sql.raw(statement).execute(db), isForbidden, statement)
  }
}

async function open(t: TestContext, env: Record<string, string>) {
  const warnings: string[] = []
  const log = { info: () => {}, warn: (line: string) => warnings.push(line) }
  const database = await openConfiguredDatabase(configFrom(env), log)
  let isClosed = false
  const close = async () => {
    if (!isClosed) await database.close()
    isClosed = true
  }
  // Closed before its folder is removed. Otherwise, PostgreSQL would be started again.
  atEnd(t, close)
  return { ...database, close, warnings }
}

test('the serving role appends to the journal and erases its details, but cannot change append-only tables', async (t) => {
  const { db } = await testDatabase(t)
  const { rows } = await sql<{ name: string }>`
    select tgrelid::regclass::text as name from pg_trigger where tgname like '%_append_only'`.execute(db)
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), Object.keys(APPEND_ONLY).toSorted())
  await recordEntries(db, ANY_ENTRY)
  await assertSealed(db)
  await assertAppendOnly(db)
  await sql`delete from journal_details`.execute(db)
  // The chain stays valid after an erasure.
  const [line] = await assertSealed(db)
  assert.equal(line?.number, 1)
  assert.equal(line.details, undefined)
})

test('migrates a DATA_DIR to two roles, seals its journal, and allows the connections of all WORKERS', async (t) => {
  const dataDir = await makeInitializedDataDir(t)
  const before = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const client = new pg.Client({ connectionString: before.ownerUrl })
  await client.connect()
  await client.query(`drop role ${SERVING_ROLE}`)
  await schemaBefore(client, 'journal')
  const user = newId()
  await client.query(
    `insert into users (id, username, email, email_key, email_twin, password_hash, referral_code)
     values ($1, 'boss', 'boss@team.example', 'boss@team.example', 'boss@team.example', 'none', 'CODE')`,
    [user],
  )
  for (const network of ['192.0.2.7', '2001:db8::/64', null])
    await client.query(
      `insert into journal (id, actor, action, subject, before, after, network)
       values ($1, $2, 'role.changed', $2, '{"role": null}', '{"role": "admin"}', $3)`,
      [newId(), user, network],
    )
  await client.end()
  await before.stop()

  for (const workers of [1, 10]) {
    const database = await open(t, { DATA_DIR: dataDir, WORKERS: String(workers) })
    const lines = await assertSealed(database.db)
    const contents = lines.slice(0, 3).map(({ details }) => details?.content)
    assert.deepEqual(contents, [{ network: '192.0.2.7' }, { network: '2001:db8::/64' }, undefined])
    await assertAppendOnly(database.db)
    const { rows } = await database.pool.query<{ role: string; connections: number }>(
      `select current_user as role, current_setting('max_connections')::int as connections`,
    )
    const { role, connections } = rows[0] ?? assert.fail()
    assert.equal(role, SERVING_ROLE)
    // Each worker has a pool and a probe.
    assert.equal(database.pool.options.max, 12)
    assert.ok(connections > workers * (12 + 1), `${connections} for ${workers} workers`)
    assert.deepEqual(database.warnings, [])
    await database.close()
  }
})

test('the owner grants rights to the role of DATABASE_URL, on several nodes at once', async (t) => {
  const { env, owner } = await twoRoles(t)
  const [first, ...others] = await Promise.all([open(t, env), open(t, env), open(t, env)])
  await recordEntries(first.db, ANY_ENTRY)
  await assertSealed(first.db)
  await assertAppendOnly(first.db)
  // The start of a later version grants rights on the tables that it adds.
  await owner.query('create table later (a serial)')
  const later = await open(t, env)
  await later.pool.query('insert into later default values')
  await later.pool.query('update later set a = 2')
  await assert.rejects(later.pool.query('truncate later'), /permission denied/)
  // The owner is not needed if there is nothing to migrate.
  const withoutOwner = await open(t, { DATABASE_URL: env.DATABASE_URL })
  for (const { warnings } of [first, ...others, later, withoutOwner]) assert.deepEqual(warnings, [])
})

test('warns when the serving role can change the journal', async (t) => {
  const { env, owner, role } = await twoRoles(t)
  await owner.query(`grant pg_write_all_data to ${pg.escapeIdentifier(role)}`)
  const { warnings } = await open(t, env)
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0] ?? '',
    /^journal, .*, ledger, .*: these tables must be append-only, but the role Serves/,
  )
})

test('warns when the database allows fewer connections than this machine may open', async (t) => {
  const { url: DATABASE_URL } = await testDatabase(t)
  const { warnings } = await open(t, { DATABASE_URL, WORKERS: '64', DATABASE_CONNECTIONS: '900' })
  assert.equal(warnings.length, 1)
  // 834: for each of 64 workers, a pool of 12 and a probe, and two for the main process.
  assert.match(
    warnings[0] ?? '',
    /may open 834 database connections, but the database accepts only \d+: set DATABASE_CONN/,
  )
})

test('warns of a pooler without DATABASE_DIRECT_URL, and of timeouts that the pooler does not pass on', async (t) => {
  const { url } = await testDatabase(t)
  const pooler = await startPooler(t, url)
  const { pool, sessionPool, warnings } = await open(t, { DATABASE_URL: pooler.url })
  assert.equal(sessionPool, pool)
  assert.equal(warnings.length, 2, warnings.join('\n'))
  assert.match(warnings[0] ?? '', /^DATABASE_URL points to a pooler: .* Set DATABASE_DIRECT_URL/)
  assert.match(
    warnings[1] ?? '',
    /lack statement_timeout=2500, lock_timeout=2000, idle_in_transaction_session_timeout=10000,/,
  )
  const direct = await open(t, { DATABASE_URL: url })
  assert.deepEqual(direct.warnings, [], 'a direct connection causes no warning')
})

test('sessions and migrations use DATABASE_DIRECT_URL instead of a pooler', async (t) => {
  const direct = (await twoRoles(t)).env.DATABASE_OWNER_URL
  const pooler = await startPooler(t, direct)
  const database = await open(t, { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct })
  assert.match(database.warnings.join('\n'), /^[^\n]*lack statement_timeout[^\n]*$/)
  await database.sessionPool.query('listen somewhere')
  await database.pool.query('select count(*) from migrations')
  assert.match(pooler.sent(), /from migrations/)
  assert.doesNotMatch(pooler.sent(), /listen|advisory|create table/i)
})

test('stops the embedded PostgreSQL when an interrupted restore cannot be finished', async (t) => {
  const dataDir = await makeInitializedDataDir(t)
  await writeFile(path.join(dataDir, 'app-secret.restoring-not-an-id'), '')
  await assert.rejects(open(t, { DATA_DIR: dataDir }), /invalid input syntax for type uuid/)
  const pidFile = path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
  await assert.rejects(readFile(pidFile), { code: 'ENOENT' })
})

test('a database whose files are lost while it runs is not replaced by an empty one', async (t) => {
  const dataDir = await makeInitializedDataDir(t)
  const log: string[] = []
  const server = await startEmbeddedPostgres({ dataDir, log: (line) => log.push(line) })
  atEnd(t, server.stop)
  const cluster = path.join(dataDir, 'postgres', 'cluster')
  const pid = Number.parseInt(await readFile(path.join(cluster, 'postmaster.pid'), 'utf8'), 10)
  await rm(cluster, { recursive: true })
  process.kill(pid, 'SIGKILL')
  const outcome = () => log.find((line) => line.includes('restarted'))
  await until('the restart has failed or succeeded', () => outcome() !== undefined)
  assert.match(outcome() ?? '', /^PostgreSQL has not restarted yet: .*ENOENT/)
  await assert.rejects(readFile(path.join(cluster, 'PG_VERSION')), { code: 'ENOENT' })
})

test('explains an unusable database in one line with advice and without the password', async (t) => {
  const { env } = await twoRoles(t)
  const { DATABASE_URL, DATABASE_OWNER_URL } = env
  const wrongUrl = (url: string, changes: Parameters<typeof urlWith>[1]) =>
    urlWith(url, { password: 'hunter2', ...changes })
  const folder = await makeDataDir(t)
  const cases: [variables: Record<string, string>, isMisconfigured: boolean, line: RegExp][] = [
    [
      { DATABASE_URL, DATABASE_DIRECT_URL: wrongUrl(DATABASE_OWNER_URL, { pathname: 'no_such_one' }) },
      true,
      /^The database of DATABASE_DIRECT_URL cannot be used: database "no_such_one" does not exist/,
    ],
    [
      { DATABASE_URL: wrongUrl(DATABASE_OWNER_URL, { pathname: 'no_such_one' }) },
      true,
      /^The database of DATABASE_URL cannot be used: database "no_such_one" does not exist\. Create it, or correct DATABASE_URL\.$/,
    ],
    [
      { DATABASE_URL: wrongUrl(DATABASE_OWNER_URL, { username: 'nobody_here' }) },
      true,
      /: role "nobody_here" does not exist\. Correct the user and the password in DATABASE_URL\.$/,
    ],
    [
      { DATABASE_URL, DATABASE_OWNER_URL: wrongUrl(DATABASE_OWNER_URL, { username: 'nobody_here' }) },
      true,
      /^The database of DATABASE_OWNER_URL cannot be used: .* password in DATABASE_OWNER_URL\.$/,
    ],
    [
      { DATABASE_URL },
      true,
      /: permission denied for schema public\. Set DATABASE_OWNER_URL to a role that can create tables there\.$/,
    ],
    [
      { DATABASE_URL: wrongUrl(DATABASE_URL, { search: `?host=${folder}` }) },
      false, // PostgreSQL may be started later.
      /: nothing answers at \/.* \(ENOENT\)\. Start PostgreSQL there, or correct DATABASE_URL\.$/,
    ],
  ]
  for (const [variables, isMisconfigured, line] of cases)
    await assert.rejects(open(t, variables), (error: unknown) => {
      assert.ok(error instanceof Error)
      assert.equal(error instanceof Misconfigured, isMisconfigured, error.message)
      assert.match(error.message, line)
      assert.doesNotMatch(error.message, /\n|hunter2/)
      return true
    })
})

test('with one role, triggers protect append-only tables', async (t) => {
  const { ownerUrl } = await testDatabase(t)
  const { db } = await open(t, { DATABASE_URL: ownerUrl })
  await recordEntries(db, ANY_ENTRY)
  for (const table of ['ledger', 'journal', 'journal_seals', 'journal_heads', 'journal_pending'])
    await assert.rejects(sql`delete from ${sql.table(table)}`.execute(db), /is append-only/, table)
})
