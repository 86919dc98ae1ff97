import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { emptyDatabase, ownerPool, testDatabase } from '#server/testing/database/database.ts'
import { until } from '#server/testing/until.ts'
import { migrate, MIGRATION_LOCK } from './migrate.ts'
import { Misconfigured } from '../misconfigured.ts'

async function tablesOf(pool: pg.Pool): Promise<string[]> {
  const query = `select table_name as name from information_schema.tables where table_schema = 'public'`
  return (await pool.query<{ name: string }>(query)).rows.map(({ name }) => name)
}

test('migrates an empty database to the newest schema, once', async (t) => {
  const pool = (await emptyDatabase(t)).connect()
  const lines: string[] = []
  await migrate(pool, (line) => lines.push(line))
  assert.ok(lines.length >= 3)
  assert.deepEqual(lines, lines.toSorted())
  const tables = await tablesOf(pool)
  const expected = ['users', 'registrations', 'codes', 'sessions', 'jobs', 'rate_limits', 'ledger', 'journal']
  for (const table of expected) assert.ok(tables.includes(table), table)
  await migrate(pool, (line) => assert.fail(`again: ${line}`))
})

test('request timeouts apply neither to a migration nor to waiting for another node’s', async (t) => {
  const { connect } = await emptyDatabase(t)
  const other = await connect().connect()
  await other.query(`select pg_advisory_lock(${MIGRATION_LOCK})`)
  const migrating = migrate(connect({ statement_timeout: 400, lock_timeout: 400, query_timeout: 1 }))
  await Promise.race([migrating, waitForBlockedSession('600 milliseconds', other)])
  other.release(true) // ends its session, and with it the lock
  await migrating
  assert.ok((await tablesOf(connect())).includes('users'))
})

/** Resolves once a session has waited this long for an advisory lock, by the database's clock. */
async function waitForBlockedSession(time: string, client: pg.PoolClient): Promise<void> {
  const blocked = `
    select from pg_locks l join pg_database d on d.oid = l.database
    where locktype = 'advisory' and not granted and datname = current_database() and now() - waitstart > $1::interval`
  await until('the migration waits', async () => (await client.query(blocked, [time])).rowCount === 1)
}

test('rejects a file that was edited after it was applied', async (t) => {
  const pool = ownerPool(t, await testDatabase(t))
  await pool.query(`update migrations set sha256 = repeat('0', 64) where name like '0002%'`)
  const explained = /^Error: Migration 0002_\w+\.sql was edited after it was applied; add a new file/
  await assert.rejects(migrate(pool), explained)
  await assert.rejects(migrate(pool), /0002/, 'the first refusal has released the lock')
})

test('applies no pending migration to a newer schema, and names the remedy', async (t) => {
  const pool = ownerPool(t, await testDatabase(t))
  await pool.query(
    `insert into migrations (name, sha256) values ('9001_later.sql', ''), ('9002_last.sql', '')`,
  )
  await pool.query(`delete from migrations where name like '0010%'`)
  await assert.rejects(migrate(pool, assert.fail), (error: unknown) => {
    assert.ok(error instanceof Misconfigured)
    assert.match(
      error.message,
      /newer than this program: 9001_later\.sql, 9002_last\.sql applied, 00\d\d_\w+\.sql is/,
    )
    assert.match(error.message, /Start the version that it was migrated by, or a later one\.$/)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
})

test('rolls back a migration that fails halfway, and keeps the earlier ones', async (t) => {
  const pool = (await emptyDatabase(t)).connect()
  await pool.query('create table rate_limits (a int)')
  await assert.rejects(migrate(pool), /"rate_limits" already exists/)
  const tables = await tablesOf(pool)
  // The migration creates `jobs` before `rate_limits`.
  assert.deepEqual([tables.includes('users'), tables.includes('jobs')], [true, false])
  await pool.query('drop table rate_limits')
  await migrate(pool)
  assert.ok((await tablesOf(pool)).includes('jobs'))
})

test('says why a migration failed, even if that ended its connection', async (t) => {
  const pool = (await emptyDatabase(t)).connect()
  pool.on('connect', (client) => client.on('error', () => {}))
  await pool.query(`
    create function cut() returns event_trigger language plpgsql
      as 'begin perform pg_terminate_backend(pg_backend_pid()); end';
    create event trigger cut on ddl_command_start when tag in ('CREATE INDEX') execute function cut()`)
  await assert.rejects(migrate(pool), /terminating connection due to administrator command/)
})
