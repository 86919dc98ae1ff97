import assert from 'node:assert/strict'
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { readCommandConfig } from '#server/config/config.ts'
import { openConfiguredDatabase, openDatabaseForCommand } from '#server/open-database.ts'
import { Misconfigured } from '#server/platform/misconfigured.ts'
import { campaignDatabase } from '#server/testing/backups.ts'
import { configFrom } from '#server/testing/config.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { databaseBefore } from '#server/testing/database/database.ts'
import { lastRun } from './runs.ts'
import { checkBackup } from './restore.ts'
import { backUpIfDue, prepareFolder } from './scheduled-backup.ts'

async function setUpPlan(t: TestContext) {
  const { db, pool, url } = await campaignDatabase(t, 3)
  const folder = await scratchFolder(t)
  const plan = { folder, everyHours: 6, keep: 2 }
  const run = (stop?: AbortSignal) =>
    backUpIfDue(db, { url, dataDir: folder, appSecret: undefined }, plan, stop)
  const ageRuns = (interval: string) =>
    pool.query(
      `update backup_runs set started_at = started_at - $1::interval, finished_at = finished_at - $1::interval`,
      [interval],
    )
  const readNames = async () => (await readdir(folder)).toSorted()
  return { db, folder, plan, run, ageRuns, readNames }
}

test('exactly one of several nodes makes a backup that is due, or that a shutdown interrupted', async (t) => {
  const { db, run, ageRuns, readNames } = await setUpPlan(t)
  await assert.rejects(run(AbortSignal.abort()), { name: 'AbortError' })
  assert.deepEqual(await readNames(), [])
  assert.equal(await lastRun(db, 'scheduled'), undefined, 'an interrupted backup has not failed')
  const written = (await Promise.all([run(), run(), run()])).filter((backup) => backup !== undefined)
  assert.equal(written.length, 1)
  const { file, takenAt } = written[0] ?? assert.fail()
  assert.deepEqual(await readNames(), [path.basename(file)])
  assert.match(path.basename(file), /^dropwright-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/)
  await checkBackup(file)
  const expected = { file, bytes: (await stat(file)).size, taken_at: takenAt, error: null }
  assert.partialDeepStrictEqual(await lastRun(db, 'scheduled'), expected)
  // A name has a resolution of one second, so the next backup's would be the same.
  await rm(file)
  await ageRuns('5 hours 59 minutes')
  assert.equal(await run(), undefined, 'due every six hours')
  await ageRuns('1 minute')
  assert.ok(await run())
})

test('removes only the oldest backups and what a killed process left', async (t) => {
  const { folder, run, readNames } = await setUpPlan(t)
  const others = [
    'dropwright-notes.txt',
    'other.backup',
    'dropwright-2026-01-01T00-00-00Z.before-upgrade.backup',
  ]
  const backupOf = (day: number) => `dropwright-2026-01-0${day}T00-00-00Z.backup`
  const [abandoned, running] = [`${backupOf(4)}.partial-1`, `${backupOf(4)}.partial-2`]
  for (const name of [...others, backupOf(1), backupOf(2), backupOf(3), abandoned, running])
    await writeFile(path.join(folder, name), '')
  await utimes(path.join(folder, abandoned), 0, 0)
  const written = await run()
  const kept = [...others, backupOf(3), running, path.basename(written?.file ?? '')]
  assert.deepEqual(await readNames(), kept.toSorted())
})

test('backups from before the clock was set back are the first to be removed', async (t) => {
  const { folder, run, readNames } = await setUpPlan(t)
  const future = [1, 2].map((day) => `dropwright-2999-01-0${day}T00-00-00Z.backup`)
  for (const name of future) await writeFile(path.join(folder, name), '')
  const written = await run()
  assert.deepEqual(await readNames(), [path.basename(written?.file ?? ''), future[1]])
})

test('a backup that was written counts even if an old one cannot be removed', async (t) => {
  const { db, folder, plan, run } = await setUpPlan(t)
  plan.keep = 1
  // Cannot be removed, because it is a folder.
  await mkdir(path.join(folder, 'dropwright-2026-01-01T00-00-00Z.backup'))
  await assert.rejects(run(), /EISDIR/)
  const recorded = await lastRun(db, 'scheduled')
  assert.deepEqual([recorded?.error, (await stat(recorded?.file ?? '')).size], [null, recorded?.bytes])
  assert.equal(await run(), undefined, 'the next backup is due after everyHours')
})

test('a failed backup is recorded with its reason, and is retried after 15 minutes', async (t) => {
  const { db, folder, plan, run, ageRuns } = await setUpPlan(t)
  await writeFile(path.join(folder, 'file'), '')
  plan.folder = path.join(folder, 'file')
  const reason = /cannot be written: a part of its path is a file, not a folder\. Choose another one\.$/
  await assert.rejects(run(), reason)
  assert.match((await lastRun(db, 'scheduled'))?.error ?? '', reason)
  plan.folder = folder
  await ageRuns('14 minutes')
  assert.equal(await run(), undefined)
  await ageRuns('1 minute')
  assert.ok(await run())
})

test('a run from before the clock was set back delays no backup and is not the last run', async (t) => {
  const { db, run, ageRuns } = await setUpPlan(t)
  const isDue = async () => {
    const written = await run()
    if (written) await rm(written.file)
    return written !== undefined
  }
  assert.ok(await isDue())
  // Into the future.
  await ageRuns('-3 days')
  assert.ok(await isDue(), 'a success in the future delays no backup')
  await db.updateTable('backup_runs').set({ error: 'The disk was full.' }).execute()
  await ageRuns('-3 days')
  assert.ok(await isDue(), 'a failure in the future delays no backup')
  assert.equal((await lastRun(db, 'scheduled'))?.error, null, 'the failure is not the last run')
})

/** A database from before the migration `backups`. `start` opens it as the server does, with BACKUP_DIR. */
async function setUpUpgrade(t: TestContext) {
  const pool = await databaseBefore(t, 'backups')
  const folder = await scratchFolder(t)
  const env = { DATABASE_URL: pool.options.connectionString ?? '', DATA_DIR: folder }
  const warnings: string[] = []
  const start = async (BACKUP_DIR: string) => {
    const config = configFrom({ ...env, BACKUP_DIR, BACKUP_KEEP: '1' })
    const warn = (line: string) => warnings.push(line)
    await (await openConfiguredDatabase(config, { info: () => {}, warn })).close()
  }
  const isUpgraded = async () =>
    (await pool.query('select from migrations where name like $1', ['%_backups.sql'])).rowCount === 1
  return { folder, pool, env, warnings, start, isUpgraded }
}

async function assertOneBackupFromBefore(folder: string) {
  const [name = '', ...others] = await readdir(folder)
  assert.deepEqual(others, [])
  assert.match(name, /Z\.before-upgrade\.backup$/)
  const { migrations } = await checkBackup(path.join(folder, name))
  assert.ok(migrations.length > 0 && !migrations.some((migration) => migration.name.endsWith('_backups.sql')))
}

test('an upgrade first makes a backup, even if old ones cannot be removed; without one, it migrates nothing', async (t) => {
  const { folder, warnings, start, isUpgraded } = await setUpUpgrade(t)
  await writeFile(path.join(folder, 'file'), '')
  const refused: [string, RegExp][] = [
    ['file', /^BACKUP_DIR: .*file is a file, not a folder\. Choose another one\.$/],
    ['file/backups', /^BACKUP_DIR: .*file\/backups cannot be written: a part of its path is a file/],
  ]
  for (const [name, expected] of refused)
    await assert.rejects(start(path.join(folder, name)), (error) => {
      assert.ok(error instanceof Misconfigured)
      assert.match(error.message, expected)
      return true
    })
  assert.equal(await isUpgraded(), false)

  const backups = path.join(folder, 'backups')
  const old = path.join(backups, 'dropwright-2026-01-01T00-00-00Z.before-upgrade.backup')
  await mkdir(old, { recursive: true })
  await start(backups)
  assert.equal(await isUpgraded(), true)
  const warning = `Old backups could not be removed from ${backups}: `
  assert.ok(
    warnings.some((line) => line.startsWith(warning)),
    warnings.join('\n'),
  )
  await rm(old, { recursive: true })
  await assertOneBackupFromBefore(backups)
  await start(backups)
  assert.equal((await readdir(backups)).length, 1, 'the second start has nothing to upgrade')
})

test('the retry of an interrupted upgrade keeps the backup from before it', async (t) => {
  const { folder, pool, start, isUpgraded } = await setUpUpgrade(t)
  const backups = path.join(folder, 'backups')
  // Makes the second pending migration fail. The first, which `isUpgraded` looks for, is applied.
  await pool.query('create table campaign_overrides ()')
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await assert.rejects(start(backups), /relation "campaign_overrides" already exists/)
    assert.equal(await isUpgraded(), true)
    await assertOneBackupFromBefore(backups)
  }
  await pool.query('drop table campaign_overrides')
  await start(backups)
  await assertOneBackupFromBefore(backups)
  const { rows } = await pool.query(`select obj_description('migrations'::regclass) as "upgradeInProgress"`)
  assert.deepEqual(rows, [{ upgradeInProgress: null }], 'the next upgrade makes a backup again')
})

test('a command that upgrades the database makes a backup first, and reports both', async (t) => {
  const { folder, env } = await setUpUpgrade(t)
  const BACKUP_DIR = path.join(folder, 'backups')
  const printed = t.mock.method(console, 'error', () => {})
  await (await openDatabaseForCommand(readCommandConfig({ ...env, BACKUP_DIR }))).close()
  const lines = printed.mock.calls.map(({ arguments: [line] }) => String(line))
  assert.match(
    lines.join('\n'),
    /^Backed up before the upgrade: .*\nUpgrading the database to this version: /,
  )
  await assertOneBackupFromBefore(BACKUP_DIR)
})

test('makes a folder that only its owner may read, and refuses one that cannot be made', async (t) => {
  const folder = await scratchFolder(t)
  await assert.rejects(prepareFolder('/proc/backups'), Misconfigured)
  await prepareFolder(path.join(folder, 'a/b'))
  assert.equal((await stat(path.join(folder, 'a/b'))).mode & 0o777, 0o700)
})
