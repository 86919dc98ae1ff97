import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { lastRun } from '../domain/backups/runs.ts'
import { countParticipants, seedParticipants } from '../domain/seed/seed-participants.ts'
import { type Database, openDatabase, openPool } from '../platform/database/database.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { migrate } from '../platform/database/migrate.ts'
import { readOrMakeSecret } from '../platform/secrets.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { backedUp } from '../testing/backups.ts'
import { emptyDatabase, LONG_TIMEOUT } from '../testing/database.ts'
import { testDeps } from '../testing/deps.ts'
import testCampaign from '../testing/campaign.ts'
import { assertSealed } from '../testing/journal.ts'
import { assertLedgerInvariants } from '../testing/checks/ledger-invariants.ts'
import { makeInitializedDataDir } from '../testing/initialized-data-dir.ts'
import { runCommand, startCommand } from '../testing/product.ts'
import { until } from '../testing/until.ts'

/** Runs the database of a DATA_DIR as a server does. */
async function serving(dataDir: string, use: (db: Database) => Promise<void>): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    const owner = openPool(server.ownerUrl, () => {}, { ...LONG_TIMEOUT, max: 1 })
    await migrate(owner, () => {}, 'dropwright_serving').finally(() => owner.end())
    const pool = openPool(server.url, () => {}, LONG_TIMEOUT)
    await use(openDatabase(pool)).finally(() => pool.end())
  } finally {
    await server.stop()
  }
}

/** A migrated database without data. @returns its URL. */
async function migratedDatabase(t: TestContext): Promise<string> {
  const { url, connect } = await emptyDatabase(t)
  await migrate(connect())
  return url
}

test('backup beside a server, deletion of everything, restore: the campaign is as it was', async (t) => {
  const DATA_DIR = await makeInitializedDataDir(t)
  const file = path.join(await scratchFolder(t), 'campaign.backup')
  const secret = await readOrMakeSecret(DATA_DIR)
  await serving(DATA_DIR, async (db) => {
    const deps = await testDeps(db)
    await seedParticipants({ db, campaign: deps.campaign, passwordHash: 'none' }, 30)
    await assertSealed(db)
    const made = await runCommand('backup', [file], { DATA_DIR })
    assert.deepEqual([made.code, made.err], [0, ''])
    assert.match(
      made.out,
      /campaign\.backup contains the campaign as of 2\S+Z: \d+ rows, \d+ kB\.\nIt includes the campaign file \S+\.\nIt contains personal data/,
    )
    assert.equal((await lastRun(db, 'manual'))?.file, file)
    const again = await runCommand('backup', [file], { DATA_DIR })
    const refused = `${file} cannot be written: it exists, and a backup never replaces a file. Choose another name.\n`
    assert.deepEqual([again.code, again.err], [78, refused])
    const running = await runCommand('restore', [file, '--force'], { DATA_DIR })
    assert.equal(running.code, 1)
    assert.match(running.err, /^DATA_DIR .* is in use by process \d+: stop that one, or .*\n$/)
  })
  await removeEmbeddedPostgres(DATA_DIR)
  await rm(DATA_DIR, { recursive: true })

  const restored = await runCommand('restore', [file], { DATA_DIR })
  assert.deepEqual([restored.code, restored.err], [0, ''])
  assert.match(
    restored.out,
    /: \d+ rows\.\nAll sessions have ended.*\nThe journal is valid \(\d+ entries\); balances/,
  )
  assert.equal(await readFile(path.join(DATA_DIR, 'app-secret'), 'utf8'), secret)
  await writeFile(file, (await readFile(file)).subarray(0, -1))
  const damaged = await runCommand('restore', ['--rehearse', file], { DATA_DIR })
  assert.deepEqual([damaged.code, damaged.err], [1, `${file} is cut off: its end is missing.\n`])

  await serving(DATA_DIR, async (db) => {
    assert.deepEqual(await countParticipants(db), { seeded: 30, real: 0 })
    await assertLedgerInvariants(await testDeps(db))
    await assertSealed(db)
    const rehearsal = await lastRun(db, 'rehearsal')
    assert.equal(rehearsal?.error, `${file} is cut off: its end is missing.`)
  })
})

test('refuses in one line, and leaves nothing behind', async (t) => {
  const folder = await scratchFolder(t)
  const { url: DATABASE_URL } = await emptyDatabase(t)
  const migrated = { DATABASE_URL: await migratedDatabase(t) }
  const DATA_DIR = path.join(folder, 'data')
  const file = path.join(folder, 'one.backup')
  const text = path.join(folder, 'text')
  await writeFile(text, 'not a backup')
  const none = DATABASE_URL.replace(/\/test_\w+/, '/none')
  const empty = { DATABASE_URL, DATA_DIR }
  const cases: [Parameters<typeof runCommand>, number, RegExp][] = [
    [
      ['backup', [file], { DATA_DIR }],
      1,
      /^Nothing to back up: there is no database in DATA_DIR .*data\.\n$/,
    ],
    [['backup', [file], { DATABASE_URL }], 1, /^The database is empty: there is nothing to back up\.\n$/],
    [
      ['backup', [file], { DATABASE_URL: none }],
      78,
      /^The database of DATABASE_URL cannot be used: .*"none" does/,
    ],
    [
      ['backup', [path.join(folder, 'none/one.backup')], migrated],
      78,
      /cannot be written: its folder does not exist\. Create it, or choose/,
    ],
    [
      ['backup', [path.join(text, 'one.backup')], migrated],
      78,
      /cannot be written: a part of its path is a file, not a folder/,
    ],
    [['backup', ['/proc/one.backup'], migrated], 78, /^\/proc\/one\.backup cannot be written: /],
    [['restore', [file], empty], 1, /one\.backup does not exist\.\n$/],
    [['restore', [folder], empty], 1, / is a folder\.\n$/],
    [['restore', [text], empty], 1, /text is not a backup of this program\.\n$/],
  ]
  const ended = await Promise.all(cases.map(([args]) => runCommand(...args)))
  for (const [index, [args, code, line]] of cases.entries()) {
    const { code: actual, out, err } = ended[index] ?? assert.fail()
    assert.deepEqual([actual, out], [code, ''], JSON.stringify(args))
    assert.match(err, line)
    assert.match(err, /^[^\n]+\n$/)
  }
  assert.deepEqual(await readdir(folder), ['text'])
  assert.equal((await stat(text)).size, 12)
})

test('a rehearsal does not run a campaign file that is not the one of this machine', async (t) => {
  const folder = await scratchFolder(t)
  const CAMPAIGN_CONFIG = path.join(folder, 'ours.ts')
  const trace = path.join(folder, 'trace')
  const exported = `export default ${JSON.stringify(testCampaign)}`
  await writeFile(
    CAMPAIGN_CONFIG,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(trace)}, '')\n${exported}`,
  )
  const DATABASE_URL = await migratedDatabase(t)
  const file = path.join(folder, 'one.backup')
  const env = { DATA_DIR: path.join(folder, 'data'), CAMPAIGN_CONFIG }
  await runCommand('backup', [file], { ...env, DATABASE_URL })
  await rm(trace)
  await writeFile(CAMPAIGN_CONFIG, exported)
  const rehearsed = await runCommand('restore', ['--rehearse', file], env)
  assert.deepEqual([rehearsed.code, rehearsed.err], [0, ''])
  assert.match(rehearsed.out, /ours\.ts is a program that differs from yours, so it was not run/)
  assert.equal(existsSync(trace), false)
})

test('the campaign file and its pictures come back; an edited file is kept, if need be under another name', async (t) => {
  const folder = await scratchFolder(t)
  const etc = path.join(folder, 'etc')
  const CAMPAIGN_CONFIG = path.join(etc, 'ours.json')
  const text = JSON.stringify({ ...testCampaign, look: { logo: 'logo.png' } })
  await mkdir(etc)
  await writeFile(CAMPAIGN_CONFIG, text)
  await writeFile(path.join(etc, 'logo.png'), 'a logo')
  const DATABASE_URL = await migratedDatabase(t)
  const file = path.join(folder, 'one.backup')
  const env = { DATA_DIR: path.join(folder, 'data'), CAMPAIGN_CONFIG }
  const backup = (target: string) => runCommand('backup', [target], { ...env, DATABASE_URL })
  const made = await backup(file)
  assert.deepEqual([made.code, made.err], [0, ''])
  assert.match(made.out, /\nIt includes the campaign file .*\/etc\/ours\.json, logo\.png\.\n/)

  await rm(etc, { recursive: true })
  const { url: target } = await emptyDatabase(t)
  const restore = (...args: string[]) =>
    runCommand('restore', [file, ...args], { ...env, DATABASE_URL: target })
  const restored = await restore()
  assert.deepEqual([restored.code, restored.err], [0, ''])
  assert.match(
    restored.out,
    /Restored the campaign file .*ours\.json\.\nRestored the picture .*logo\.png\.\n$/,
  )
  assert.equal(await readFile(CAMPAIGN_CONFIG, 'utf8'), text)
  assert.equal(await readFile(path.join(etc, 'logo.png'), 'utf8'), 'a logo')

  await writeFile(CAMPAIGN_CONFIG, '{ "edited": true }')
  const beside = await restore()
  assert.equal(beside.code, 0)
  assert.match(
    beside.out,
    /ours\.json is not the one of the backup, and was left as it is\. .* is (.*ours\.restored\.json)\.\nBefore you start, set CAMPAIGN_CONFIG=\1, /,
  )
  assert.equal(await readFile(CAMPAIGN_CONFIG, 'utf8'), '{ "edited": true }')
  assert.equal(await readFile(path.join(etc, 'ours.restored.json'), 'utf8'), text)
  const replaced = await restore('--replace-campaign-file')
  assert.match(replaced.out, /ours\.json\. The one that was there is now .*ours\.before-restore\.json\.\n/)
  assert.equal(await readFile(CAMPAIGN_CONFIG, 'utf8'), text)
  const { out } = await runCommand('restore', [file], {
    ...env,
    CAMPAIGN_CONFIG: path.join(folder, 'theirs.ts'),
    DATABASE_URL: target,
  })
  assert.match(
    out,
    /could not be restored as .*theirs\.ts, so it is now (.*ours\.json)\.\nBefore you start, set CAMPAIGN_CONFIG=\1\.\n/,
  )

  await writeFile(CAMPAIGN_CONFIG, '{ "edited": true }')
  const second = path.join(folder, 'two.backup')
  const mistaken = await backup(second)
  assert.equal(mistaken.code, 0)
  assert.match(mistaken.err, /^Not included: The campaign file .*ours\.json has mistakes, so pictures/)
  const failed = await runCommand('restore', ['--rehearse', second], env)
  assert.equal(failed.code, 1)
  assert.match(failed.out, /In the backup itself, ours\.json: id is missing/)

  await rm(CAMPAIGN_CONFIG)
  const third = path.join(folder, 'three.backup')
  assert.match((await backup(third)).err, /^Not included: The campaign file .*ours\.json does not exist/)
  const without = await runCommand('restore', [third], { ...env, DATABASE_URL: target })
  assert.deepEqual([without.code, without.err], [0, ''])
  assert.match(without.out, /\nThe backup has no campaign file: use the one that belongs to it/)
})

test('Ctrl-C ends a rehearsal, which leaves no copy of the data behind', async (t) => {
  const { file, dataDir } = await backedUp(t)
  const TMPDIR = await scratchFolder(t)
  const { child, ended } = startCommand('restore', ['--rehearse', file], { DATA_DIR: dataDir, TMPDIR })
  t.after(() => child.kill('SIGKILL'))
  const database = async () => realpath(path.join(TMPDIR, (await readdir(TMPDIR))[0] ?? '', 'postgres'))
  const hasFolder = async () => (await database().catch(() => undefined)) !== undefined
  await until('the temporary database has a folder', hasFolder)
  const folder = await database()
  // Ctrl-C reaches a program twice: from the terminal, and from a parent, such as npm, that passes it on.
  for (let times = 1; times <= 2; times += 1) child.kill('SIGINT')
  assert.deepEqual(await ended, {
    code: 1,
    out: '',
    err: 'Interrupted: the temporary database has been removed.\n',
  })
  assert.deepEqual([await readdir(TMPDIR), existsSync(folder)], [[], false])
})
