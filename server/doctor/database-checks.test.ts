import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { beginRun, finishRun } from '#server/domain/backups/runs.ts'
import { makeSetupLink } from '#server/domain/setup/links.ts'
import { sealJournal } from '#server/domain/journal/seal.ts'
import { enqueue } from '#server/platform/jobs/jobs.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import { createUsers } from '#server/testing/builders/create-users.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { databaseBefore, emptyDatabase, ownerPool, testDatabase } from '#server/testing/database/database.ts'
import { testDeps } from '#server/testing/deps.ts'
import { deployment, deploymentOn, assertFinding, findingText } from '#server/testing/doctor.ts'
import { deadAddress } from '#server/testing/fakes/http-stub.ts'
import { ANY_ENTRY, recordEntries } from '#server/testing/journal.ts'
import { administrators } from './checks/administrators.ts'
import { backups } from './checks/backups.ts'
import { clock } from './checks/clock.ts'
import { database } from './checks/database.ts'
import { journal } from './checks/journal.ts'
import { mailQueue } from './checks/mail.ts'
import type { Check } from './subject.ts'

async function setUp(t: TestContext) {
  const { url, ownerUrl, db } = await testDatabase(t)
  const subject = deploymentOn(t, { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl })
  const owner = ownerPool(t, { ownerUrl })
  const runAsOwner = (statement: string) => owner.query(statement)
  const assertFinds = (check: Check, expected: string | RegExp) => assertFinding(check, subject, expected)
  return { db, subject, assertFinds, runAsOwner, url, ownerUrl }
}

test('database: fine if current, wrong with too few or too many rights, or if too new', async (t) => {
  const { assertFinds, subject, runAsOwner, ownerUrl } = await setUp(t)
  await assertFinds(database, /^fine\nPostgreSQL \d.*its schema is up to date \(00\d\d_.*\.sql\)\.$/)
  const oneRole = deploymentOn(t, { DATABASE_URL: ownerUrl })
  await assertFinding(database, oneRole, /^fine\n.*\n\(The role that serves also owns/)
  await runAsOwner('revoke insert on claims from dropwright_serving')
  await runAsOwner('grant update on journal to dropwright_serving')
  const rights = await findingText(database, subject)
  assert.match(rights, /^wrong\nThe role dropwright_serving lacks rights on claims: /)
  assert.match(rights, /\nThe role dropwright_serving can change journal, which must be append-only/)
  await runAsOwner(`insert into migrations (name, sha256) values ('9999_later.sql', 'x')`)
  await assertFinds(database, /^wrong\nIt is newer than this program: 9999_later\.sql applied/)
})

test('database: wrong if older or unreachable, could not tell if empty or absent', async (t) => {
  const older = await databaseBefore(t, 'payouts')
  const subject = deploymentOn(t, { DATABASE_URL: older.options.connectionString })
  await assertFinding(
    database,
    subject,
    /^wrong\n\d+ migrations not applied \(0026_payouts\.sql to .*\): back up, then start/,
  )
  await assertFinding(backups, subject, /^could_not_tell\nThe database does not record backups yet/)
  const empty = deploymentOn(t, { DATABASE_URL: (await emptyDatabase(t)).url })
  for (const check of [database, administrators, journal, backups, mailQueue])
    await assertFinding(check, empty, /^could_not_tell\nThe database is empty/)
  const dead = (await deadAddress(t)).replace('http://', 'postgres://someone:pass-of-someone@')
  const unreachable = deploymentOn(t, { DATABASE_URL: dead })
  const trouble = await findingText(database, unreachable)
  assert.match(
    trouble,
    /^wrong\nThe database of DATABASE_URL cannot be used: nothing answers at 127\.0\.0\.1/,
  )
  assert.doesNotMatch(trouble, /pass-of-someone/)
  await assertFinding(administrators, unreachable, /^could_not_tell\n.*\(see database\)/)
  const none = deploymentOn(t, { DATA_DIR: await scratchFolder(t) })
  await assertFinding(database, none, /^could_not_tell\nThere is no database in DATA_DIR yet/)
})

test('administrators: fine with one, wrong without an active one', async (t) => {
  const { db, assertFinds } = await setUp(t)
  const { campaign } = await testDeps(db)
  await createUsers(db, campaign.id, 2)
  await assertFinds(administrators, /^wrong\nThere is no administrator yet: run npm run admin -- link/)
  await makeSetupLink(db)
  await assertFinds(
    administrators,
    /^wrong\nThere is no administrator yet, but a setup link is valid until 20\d\d-/,
  )
  // A link is valid for 30 minutes.
  await sql`update setup_links set created_at = now() - interval '31 minutes'`.execute(db)
  await assertFinds(administrators, /^wrong\nThere is no administrator yet: run npm run admin -- link/)
  await createUsers(db, campaign.id, 1, { role: 'admin' })
  await assertFinds(administrators, 'fine\n1 administrator.')
  await sql`update users set banned_at = now() where role = 'admin'`.execute(db)
  await assertFinds(administrators, /^wrong\nEvery administrator is banned: run npm run admin -- create/)
})

test('journal: fine if it verifies, wrong if it lacks a published head or was edited', async (t) => {
  const { db, assertFinds, runAsOwner } = await setUp(t)
  await recordEntries(db, ANY_ENTRY, ANY_ENTRY)
  await sealJournal(db)
  await assertFinds(journal, 'fine\nThe journal is valid: 2 entries, 1 published head.')
  await runAsOwner(
    `alter table journal_heads drop constraint journal_heads_number_hash_fkey;
    insert into journal_heads (day, number, hash) values ('2026-01-31', 1, repeat('x', 32)::bytea)`,
  )
  await assertFinds(journal, /^wrong\nThe head published on 2026-01-31 is not in the journal/)
  await runAsOwner(
    `alter table journal disable trigger user;
    update journal set action = 'claim.approved' where id = (select max(id::text)::uuid from journal)`,
  )
  await assertFinds(journal, /^wrong\nThe journal is not valid at line 2: entry 2 was edited/)
  await assertFinding(journal, deployment(), 'could_not_tell\nThere is no database.')
})

const DAY_MS = 24 * 3_600_000

test('backups: fine if recent or unscheduled, wrong if overdue or failed, else could not tell', async (t) => {
  const { db, assertFinds, url, ownerUrl } = await setUp(t)
  await assertFinds(
    backups,
    [
      'fine\nNo backup has been made yet.',
      '(None are scheduled: set BACKUP_DIR=/path/on/another/disk)',
      '(and BACKUP_EVERY_HOURS=24 (the default))',
      '(Never rehearsed: run npm run restore -- --rehearse FILE to test a backup.)',
    ].join('\n'),
  )
  const env = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, BACKUP_DIR: '/backups' }
  const scheduled = deploymentOn(t, env)
  await assertFinding(backups, scheduled, /^could_not_tell\nNo backup has been made yet/)
  const taken_at = new Date()
  const restored = { taken_at: new Date(Date.now() - 2 * 3_600_000) }
  await finishRun(db, await beginRun(db, 'restore', 'restored.backup'), restored)
  const ofRestored = /^fine\nThe last one is 2 hours old: restored\.backup\n/
  await assertFinds(backups, ofRestored)
  await assertFinding(backups, scheduled, ofRestored)
  await finishRun(db, await beginRun(db, 'scheduled', 'good.backup'), { taken_at, bytes: 1 })
  await finishRun(db, await beginRun(db, 'rehearsal', 'good.backup'), { taken_at })
  await assertFinding(
    backups,
    scheduled,
    /^fine\nThe last one is \d+ seconds? old: good\.backup\n\(Last rehearsed/,
  )
  const later = deploymentOn(t, env, { now: () => taken_at.getTime() + 3 * DAY_MS })
  await assertFinding(backups, later, /^wrong\nThe last one is 3 days old, but one is due every 24 hours/)
  await finishRun(db, await beginRun(db, 'scheduled', 'bad.backup'), { error: 'The disk is full.' })
  await finishRun(db, await beginRun(db, 'rehearsal', 'good.backup'), { error: 'It is cut off.' })
  await assertFinding(
    backups,
    scheduled,
    /^wrong\nThe last attempt failed: The disk is full\.\nThe last rehearsal failed: It is cut off\. Make a new backup/,
  )
})

test('mail queue: fine if empty or waiting briefly, wrong if stuck; notes what was given up', async (t) => {
  const { db, assertFinds } = await setUp(t)
  await assertFinds(mailQueue, 'fine\nNo emails are waiting.')
  const queue = (kind: string) => inTransaction(db, (tx) => enqueue(tx, { kind, payload: {} }))
  const mail = await queue('mail')
  await queue('other')
  await assertFinds(mailQueue, 'fine\n1 email waiting, none for long.')
  const change = (set: object) => db.updateTable('jobs').set(set).where('id', '=', mail).execute()
  await change({
    attempts: 3,
    created_at: sql`now() - interval '3 hours'`,
    run_at: sql`now() + interval '10 minutes'`,
    last_error: 'ECONNECTION refused',
  })
  await assertFinds(mailQueue, /^wrong\n1 email waiting, the oldest for 3 hours \(ECONNECTION refused\): /)
  await change({ dead_at: sql`now()`, last_error: '550 no such user' })
  await assertFinds(
    mailQueue,
    /^fine\nNo emails are waiting\.\n\(1 email given up on in the last day; the latest error: 550 no such user\)$/,
  )
  for (const domain of ['one', 'two', 'three']) {
    const payload = { to: `al@${domain}.example` }
    const id = await inTransaction(db, (tx) => enqueue(tx, { kind: 'mail', payload }))
    const set = { dead_at: sql<Date>`now()`, last_error: '554 suspended' }
    await db.updateTable('jobs').set(set).where('id', '=', id).execute()
  }
  await assertFinds(
    mailQueue,
    /^wrong\nThe mail server has refused the last \d emails \(554 suspended\): fix /,
  )
})

test('clock: fine if the database’s agrees, wrong if not, could not tell without another clock', async (t) => {
  const { subject } = await setUp(t)
  const unusable = { ...subject.environment, unusable: new Set(['CHAIN_RPC_URL']) }
  const alone = { ...subject, environment: unusable }
  await assertFinding(clock, alone, /^fine\nThis machine’s clock agrees with the database’s\./)
  const wrongClock = { ...alone, now: () => Date.now() - 3 * 3_600_000 }
  await assertFinding(clock, wrongClock, /^wrong\nThe clocks of .* differ by 3 hours/)
  await assertFinding(clock, deployment({}, { environment: unusable }), /^could_not_tell\nNeither/)
})
