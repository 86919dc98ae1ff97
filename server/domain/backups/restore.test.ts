import assert from 'node:assert/strict'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { inTransaction, openDatabase, openPool } from '#server/platform/database/database.ts'
import { withSnapshot } from '#server/platform/database/archive/dump.ts'
import { newId } from '#server/platform/database/ids.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import {
  backedUp,
  campaignDatabase,
  copyChanged,
  emptyTarget,
  ordinaryOwner,
  SECRET,
} from '#server/testing/backups.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { emptyDatabase } from '#server/testing/database/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { assertLedgerJournaled, assertSealed } from '#server/testing/journal.ts'
import { assertClaimCountsFit, assertLedgerInvariants } from '#server/testing/checks/ledger-invariants.ts'
import { until } from '#server/testing/until.ts'
import { purgeRecipients } from '../announcements/queue-announcement.ts'
import { ANNOUNCEMENT_JOB, sendLater } from '../mail/send-later.ts'
import { startSession } from '../sessions/session.ts'
import { beginRun } from './runs.ts'
import { checkBackup, problemsOf, restore } from './restore.ts'

const FORCED = { force: true }

/** The sorted rows of each table, and the values of all sequences under `sequences`. */
async function contentOf(url: string): Promise<Record<string, string[]>> {
  return withSnapshot(url, async ({ sections }) => {
    const tables: Record<string, string[]> = {}
    for await (const { head, content } of sections) {
      const pieces: Buffer[] = []
      for await (const piece of content) pieces.push(piece)
      if ('table' in head) tables[head.table] = Buffer.concat(pieces).toString().split('\n').toSorted()
      if ('sequences' in head)
        tables['sequences'] = Object.entries(head.sequences).map((sequence) => JSON.stringify(sequence))
    }
    return tables
  })
}

/** The tables in which a restore that sends the queued emails changes, adds or removes rows. */
const CHANGED = new Set(['backup_runs', 'journal', 'journal_pending', 'sessions', 'reset_tokens'])

test('a backup restores every row, sequence and right into an empty database, without a superuser', async (t) => {
  const { url, file, db, deps, backUpAgain } = await backedUp(t)
  await inTransaction(db, (tx) => sendLater(tx, { template: 'code', to: 'ann@mail.example', values: {} }))
  await rm(file) // A backup overwrites no file.
  const backup = await backUpAgain()
  assert.equal((await stat(file)).mode & 0o777, 0o600, 'only the owner may read the file')
  const roles = await ordinaryOwner(t)
  const dataDir = await scratchFolder(t)
  const target = { ...roles, dataDir, appSecret: undefined }
  const restored = await restore(target, await checkBackup(file), { sendMail: true })
  const pool = openPool(roles.url)
  t.after(() => pool.end())
  const restoredDeps = { ...deps, db: openDatabase(pool) }

  await t.test('puts the secret in place', async () => {
    assert.equal(restored.secret, 'restored')
    assert.equal(await readFile(path.join(dataDir, 'app-secret'), 'utf8'), SECRET)
    assert.deepEqual(await readdir(dataDir), ['app-secret'])
  })

  await t.test('restores every row of the tables that it does not change', async () => {
    assert.equal(restored.unsentMails, 0)
    const [before, after] = await Promise.all([contentOf(url), contentOf(roles.ownerUrl)])
    assert.ok((before['ledger']?.length ?? 0) > 10 && backup.rows > 200, 'the backup has rows to restore')
    assert.deepEqual(Object.keys(after), Object.keys(before))
    for (const [table, rows] of Object.entries(before))
      if (!CHANGED.has(table)) assert.deepEqual(after[table], rows, table)
  })

  await t.test('leaves ledger, counts and journal consistent, and records the restore', async () => {
    assert.deepEqual(problemsOf(restored), [])
    await assertLedgerInvariants(restoredDeps)
    await assertClaimCountsFit(restoredDeps.db)
    await assertLedgerJournaled(restoredDeps.db)
    const lines = await assertSealed(restoredDeps.db)
    const takenAt = lines.find(({ action }) => action === 'backup.restored')?.after?.['taken_at']
    assert.equal(takenAt, backup.takenAt.toISOString())
  })

  await t.test('restores triggers, foreign keys, sequences and grants', async () => {
    await createUsers(restoredDeps.db, restoredDeps.campaign.id, 3)
    await assertLedgerInvariants(restoredDeps)
    await assert.rejects(pool.query('delete from ledger'), /permission denied/)
    await assert.rejects(pool.query('delete from users'), /violates foreign key constraint/)
    const owner = new pg.Client({ connectionString: roles.ownerUrl })
    await owner.connect()
    await assert.rejects(owner.query('delete from ledger'), /is append-only/).finally(() => owner.end())
  })
})

test('a backup shows one moment: it contains nothing that is committed while it is written', async (t) => {
  const { db, deps, url } = await campaignDatabase(t, 5)
  const rowCounts: Record<string, number> = {}
  await withSnapshot(url, async ({ sections }) => {
    for await (const { head, content } of sections) {
      let rows = 0
      for await (const piece of content) rows += piece.toString().split('\n').length - 1
      if ('table' in head) rowCounts[head.table] = rows
      // Tables come in alphabetical order: standings and users are still to be read.
      if ('table' in head && head.table === 'claims') await createUsers(db, deps.campaign.id, 4)
    }
  })
  assert.partialDeepStrictEqual(rowCounts, { users: 5, standings: 5, usernames: 5 })
  assert.equal((await db.selectFrom('users').select('id').execute()).length, 5 + 4)
})

test('migrations wait for a backup that is being written', async (t) => {
  const { connect } = await emptyDatabase(t)
  const pool = connect()
  await migrate(pool)
  await pool.query(`delete from migrations where name like '0030_backups%'`)
  await pool.query('drop table backup_runs')
  let migrating: Promise<unknown> = Promise.resolve()
  let hasMigrated = false
  await withSnapshot(pool.options.connectionString ?? '', async ({ migrations }) => {
    assert.ok(!migrations.some(({ name }) => name.startsWith('0030_backups')))
    migrating = migrate(connect()).then(() => (hasMigrated = true))
    const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
      where locktype = 'advisory' and not granted and datname = current_database()`
    await until('the migration waits', async () => (await pool.query(waiting)).rowCount === 1)
    assert.equal(hasMigrated, false)
  })
  await migrating
})

test('a restore resets what must not continue from the moment of the backup', async (t) => {
  const { db, pool, deps, file, backUpAgain } = await backedUp(t)
  const [ann] = await createUsers(db, deps.campaign.id, 1)
  await inTransaction(db, async (tx) => {
    await startSession(tx, ann.id)
    await sendLater(tx, { template: 'code', to: 'ann@mail.example', values: {} })
    await enqueue(tx, { kind: ANNOUNCEMENT_JOB, payload: {} })
  })
  await pool.query(`update jobs set leased_until = now() + interval '1 hour', last_error = '451 Try again.'`)
  await pool.query(`insert into reset_tokens values ('\\x00', $1, now() + interval '1 hour')`, [ann.id])
  await pool.query(`insert into setup_links (token_hash) values (decode(repeat('00', 32), 'hex'))`)
  await pool.query(
    `insert into announcements (id, subject, body, state, updated_at)
     values (gen_random_uuid(), 'News', 'Text', 'sending', now() - interval '8 days')`,
  )
  await beginRun(db, 'scheduled', file)
  await rm(file)
  await backUpAgain()

  const { target, pool: restored, db: restoredDb } = await emptyTarget(t)
  const { unsentMails } = await restore(target, await checkBackup(file))
  assert.equal(unsentMails, 2, 'the code and the announcement')
  const mails = await restored.query(
    `select dead_at is not null as "isDead", last_error from jobs where kind in ('mail', 'announcement')`,
  )
  const givenUp = { isDead: true, last_error: 'Not sent: it was queued in a backup that was restored.' }
  assert.deepEqual(mails.rows, [givenUp, givenUp])
  const remaining = await restored.query(
    `select (select count(*) from sessions) as sessions, (select count(*) from reset_tokens) as tokens,
      (select count(*) from setup_links) as links, (select state from announcements) as announcement,
      (select count(*) from jobs where leased_until > now()) as leased,
      (select coalesce(sum(amount), 0)::int from daily_counts where measure = 'mail') as "countedMails"`,
  )
  assert.deepEqual(remaining.rows, [
    { sessions: 0, tokens: 0, links: 0, announcement: 'stopped', leased: 0, countedMails: 2 },
  ])
  await purgeRecipients(restoredDb)
  const resumable = await restored.query('select state from announcements')
  assert.deepEqual(resumable.rows, [{ state: 'stopped' }], 'it can be resumed for a week from the restore')
  const runs = await restored.query('select kind from backup_runs')
  assert.deepEqual(runs.rows, [{ kind: 'restore' }])
})

test('a restore that is refused or fails leaves everything as it was', async (t) => {
  const { file, dataDir: folder } = await backedUp(t)
  const { url, db, pool } = await campaignDatabase(t, 7)
  const dataDir = await scratchFolder(t)
  const target = { url, ownerUrl: url, dataDir, appSecret: undefined }
  const secretFile = path.join(dataDir, 'app-secret')
  const secret = 'the secret of the target, as long as it needs to be'
  await writeFile(secretFile, secret)
  const backup = await checkBackup(file)
  const before = await contentOf(url)
  const assertUntouched = async () => {
    assert.deepEqual(await contentOf(url), before)
    assert.deepEqual(await readdir(dataDir), ['app-secret'])
    assert.equal(await readFile(secretFile, 'utf8'), secret)
  }

  await t.test('because the database is in use', async () => {
    const node = openPool(url)
    await node.query('select 1')
    // A restore waits a few seconds for connections that are about to close. Here, time runs faster.
    const clock = t.mock.method(Date, 'now', () => performance.now() * 1_000)
    await assert.rejects(
      restore(target, backup, FORCED),
      /^Error: The database is in use: the server or another command has 1 open connection\. Stop every node/,
    )
    clock.mock.restore()
    await node.end()
    const nodes = `select from pg_stat_activity where datname = current_database() and application_name = 'dropwright'`
    await until('the node is gone', async () => (await pool.query(nodes)).rowCount === 0)
  })

  await t.test('because it would replace participants and is not forced', () =>
    assert.rejects(
      restore(target, backup),
      /^Error: The database holds 7 participants, whom a restore would replace\. Back it up, then use --force\.$/,
    ),
  )

  await t.test('because it would remove the views of other programs, such as reporting tools', async () => {
    await pool.query('create schema reports')
    await pool.query('create view reports.people as select id from users')
    const losses = /would be lost: reports\.people\. Remove them first/
    await assert.rejects(restore(target, backup, FORCED), losses)
    await assertUntouched()
    await pool.query('drop view reports.people')
  })

  await t.test('at its end, when the foreign keys return and a reset token has no user', async () => {
    // Adds a row and counts it.
    const orphan = await copyChanged(file, path.join(folder, 'orphan.backup'), (text) =>
      text
        .replace(/^(\{"table":"reset_tokens".*)$/m, `$1\n\\\\x00\t${newId()}\t2030-01-01 00:00:00+00`)
        .replace(/"rows":(\d+)/, (_all, rows: string) => `"rows":${Number(rows) + 1}`),
    )
    const failing = restore(target, await checkBackup(orphan), FORCED)
    await assert.rejects(failing, /violates foreign key constraint/)
    await assertUntouched()
  })

  await t.test('when it loses its connection', async () => {
    // Locks a table that the restore drops, until the restore's connection is cut.
    const reader = await pool.connect()
    try {
      await reader.query('begin')
      await reader.query('select 1 from waiting_list')
      const failing = restore(target, backup, FORCED)
      const blocked = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and application_name = 'archive of dropwright'`
      await until('the restore waits', async () => (await pool.query(blocked)).rowCount === 1)
      await pool.query(`select pg_terminate_backend(pid) from (${blocked}) blocked`)
      await assert.rejects(failing, /terminat/)
    } finally {
      // Closed, so that its locks end even if the test fails.
      reader.release(true)
    }
    await assertUntouched()
  })

  await t.test('and with force, the next one replaces the participants', async () => {
    await restore(target, backup, FORCED)
    const { rows } = await pool.query('select count(*) as users from users')
    assert.deepEqual(rows, [{ users: 40 }], 'the participants of the backup')
    await assertLedgerInvariants(await testDeps(db))
  })
})
