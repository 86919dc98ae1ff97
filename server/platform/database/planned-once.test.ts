import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { LONG_TIMEOUT, ownerPool, testDatabase } from '#server/testing/database/database.ts'
import { type Database, isUnavailable, openDatabase, openPool, withRetries } from './database.ts'
import { nameStatements, plannedOnce } from './planned-once.ts'

async function oneConnection(t: TestContext) {
  const { url, ownerUrl } = await testDatabase(t)
  const pool = openPool(url, { ...LONG_TIMEOUT, max: 1 })
  t.after(() => pool.end())
  return { db: openDatabase(pool), url, ownerUrl }
}

const twice = (db: Database, value: number) =>
  sql<{ result: number }>`select ${value}::integer * 2 as result`
    .execute(db)
    .then(({ rows }) => rows[0]?.result)

async function preparedIn(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

test('a statement is planned once for a connection, whatever its values', async (t) => {
  const { db } = await oneConnection(t)
  const results: unknown[] = []
  for (const value of [1, 2, 3]) results.push(await twice(plannedOnce(db), value))
  assert.deepEqual(results, [2, 4, 6])
  assert.deepEqual(await preparedIn(db), ['planned_1'])
  const { rows } = await sql<{ runs: number }>`
    select (generic_plans + custom_plans)::int as runs from pg_prepared_statements`.execute(db)
  assert.deepEqual(rows, [{ runs: 3 }], 'the one prepared statement ran all three times')
})

test('planned statements stay prepared, even those of a transaction that fails; others do not', async (t) => {
  const { db } = await oneConnection(t)
  await sql`select ${1}::integer + 1`.execute(db)
  assert.deepEqual(await preparedIn(db), [])
  const failing = db.transaction().execute(async (tx) => {
    await twice(plannedOnce(tx), 1)
    await sql`select 1 / ${0}::integer`.execute(plannedOnce(tx))
  })
  await assert.rejects(failing, /division by zero/)
  assert.deepEqual(await preparedIn(db), ['planned_1', 'planned_2'])
  assert.equal(await twice(plannedOnce(db), 4), 8, 'the statement still works')
})

test('a statement is planned anew after 200 uses, and its previous plan is dropped', async (t) => {
  const { db } = await oneConnection(t)
  for (let value = 0; value < 200; value += 1) await twice(plannedOnce(db), value)
  assert.deepEqual(await preparedIn(db), ['planned_1'])
  assert.equal(await twice(plannedOnce(db), 200), 400)
  assert.deepEqual(await preparedIn(db), ['planned_2'])
})

test('through a pooler, which makes up a process id, nothing is prepared', async (t) => {
  const { db, url } = await oneConnection(t)
  // Marks the text, in this process, as a statement that is to be planned once.
  await twice(plannedOnce(db), 1)
  const text = 'select $1::integer * 2 as result'
  for (const [isPooled, prepared] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    if (isPooled) Object.assign(client, { processID: 1 })
    await nameStatements(client)
    const { rows } = await client.query<{ result: number }>(text, [2])
    assert.deepEqual(rows, [{ result: 4 }])
    const { rowCount } = await client.query('select from pg_prepared_statements')
    assert.equal(rowCount, prepared)
    await client.end()
  }
})

test('a plan from before a migration fails once, as unavailable, and is then replaced', async (t) => {
  const { db, ownerUrl } = await oneConnection(t)
  const owner = ownerPool(t, { ownerUrl })
  const read = async () =>
    (await sql`select * from widgets where ${1}::integer = 1`.execute(plannedOnce(db))).rows
  await owner.query('create table widgets (size integer); grant select on widgets to public')
  await owner.query('insert into widgets values (1)')
  assert.deepEqual(await read(), [{ size: 1 }])
  await owner.query('alter table widgets add column color text')
  await assert.rejects(read(), (error) => isUnavailable(error))
  assert.deepEqual(await read(), [{ size: 1, color: null }])
  await owner.query('alter table widgets add column weight integer')
  assert.deepEqual(await withRetries(read), [{ size: 1, color: null, weight: null }])
})
