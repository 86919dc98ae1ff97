import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { lastRun } from '../domain/backups/runs.ts'
import { countParticipants, seedParticipants } from '../domain/seed/seed-participants.ts'
import { type Database, openDatabase, openPool } from '../platform/database/database.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../platform/database/embedded-postgres.ts'
import { MISCONFIGURED } from '../platform/misconfigured.ts'
import { readOrMakeSecret } from '../platform/secrets.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { backedUp } from '../testing/backups.ts'
import { emptyDatabase, LONG_TIMEOUT, migrateAsOwner, testDatabase } from '../testing/database/database.ts'
import { testDeps } from '../testing/deps.ts'
import testCampaign from '../testing/campaign.ts'
import { assertSealed } from '../testing/journal.ts'
import { assertFailed, assertSucceeded, type FailureCode } from '../testing/checks/commands.ts'
import { assertLedgerInvariants } from '../testing/checks/ledger-invariants.ts'
import { makeInitializedDataDir } from '../testing/database/initialized-data-dir.ts'
import { type Ended, runCommand, startCommand } from '../testing/product.ts'
import { until } from '../testing/until.ts'
import { runWarm } from '../testing/warm-command.ts'

async function whileServing(dataDir: string, use: (db: Database) => Promise<void>): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    await migrateAsOwner(server.ownerUrl)
    const pool = openPool(server.url, LONG_TIMEOUT)
    await use(openDatabase(pool)).finally(() => pool.end())
  } finally {
    await server.stop()
  }
}

test('a restore brings everything back after the loss of DATA_DIR', async (t) => {
  const DATA_DIR = await makeInitializedDataDir(t)
  const file = path.join(await scratchFolder(t), 'campaign.backup')
  const run = (name: 'backup' | 'restore', ...args: string[]) => runWarm(name, args, { DATA_DIR })
  const secret = await readOrMakeSecret(DATA_DIR)
  await whileServing(DATA_DIR, async (db) => {
    const { campaign } = await testDeps(db)
    await seedParticipants({ db, campaign, passwordHash: 'none' }, 30)
    await assertSealed(db)
    assertSucceeded(
      await run('backup', file),
      /campaign\.backup contains the campaign as of 2\S+Z: \d+ rows, \d+ kB\.\nIt includes the campaign file \S+\.\nIt contains personal data/,
    )
    assert.equal((await lastRun(db, 'manual'))?.file, file)
    const refusal = `${file} cannot be written: it exists, and is never replaced. Choose another name.\n`
    assertFailed(await run('backup', file), MISCONFIGURED, refusal)
    const inUse = /^DATA_DIR .* is in use by process \d+: stop that one, or .*\n$/
    assertFailed(await run('restore', file, '--force'), 1, inUse)
  })

  await removeEmbeddedPostgres(DATA_DIR)
  await rm(DATA_DIR, { recursive: true })

  assertSucceeded(
    await run('restore', file),
    /: \d+ rows\.\nAll sessions have ended.*\nThe journal is valid \(\d+ entries\); balances/,
  )
  assert.equal(await readFile(path.join(DATA_DIR, 'app-secret'), 'utf8'), secret)
  await writeFile(file, (await readFile(file)).subarray(0, -1))
  const cutOff = `${file} is cut off: its end is missing.`
  assertFailed(await run('restore', '--rehearse', file), 1, `${cutOff}\n`)

  await whileServing(DATA_DIR, async (db) => {
    assert.deepEqual(await countParticipants(db), { seeded: 30, real: 0 })
    await assertLedgerInvariants(await testDeps(db))
    await assertSealed(db)
    assert.equal((await lastRun(db, 'rehearsal'))?.error, cutOff)
  })
})

test('refuses unusable sources and targets in one line, and leaves nothing behind', async (t) => {
  const folder = await scratchFolder(t)
  const { url: DATABASE_URL } = await emptyDatabase(t)
  const migrated = { DATABASE_URL: (await testDatabase(t)).ownerUrl }
  const DATA_DIR = path.join(folder, 'data')
  const file = path.join(folder, 'one.backup')
  const text = path.join(folder, 'text')
  await writeFile(text, 'not a backup')
  const unknownDatabase = DATABASE_URL.replace(/\/test_\w+/, '/none')
  const backUp = (target: string, env: Record<string, string>) => () => runWarm('backup', [target], env)
  const restore = (source: string) => () => runWarm('restore', [source], { DATABASE_URL, DATA_DIR })
  const refusals: [run: () => Promise<Ended>, code: FailureCode, line: RegExp][] = [
    [backUp(file, { DATA_DIR }), 1, /^Nothing to back up: there is no database in DATA_DIR .*data\.\n$/],
    [backUp(file, { DATABASE_URL }), 1, /^The database is empty: there is nothing to back up\.\n$/],
    [
      backUp(file, { DATABASE_URL: unknownDatabase }),
      MISCONFIGURED,
      /^The database of DATABASE_URL cannot be used: .*"none" does/,
    ],
    [
      backUp(path.join(folder, 'none/one.backup'), migrated),
      MISCONFIGURED,
      /cannot be written: its folder does not exist\. Create it, or choose/,
    ],
    [restore(file), 1, /one\.backup does not exist\.\n$/],
    [restore(text), 1, /text is not a backup of this program\.\n$/],
  ]
  for (const [run, code, line] of refusals) {
    const ended = await run()
    assertFailed(ended, code, line)
    assert.match(ended.err, /^[^\n]+\n$/)
  }
  assert.deepEqual(await readdir(folder), ['text'])
  assert.equal(await readFile(text, 'utf8'), 'not a backup')
})

test('a rehearsal does not run a campaign file that differs from this machine’s', async (t) => {
  const folder = await scratchFolder(t)
  const CAMPAIGN_CONFIG = path.join(folder, 'ours.ts')
  const trace = path.join(folder, 'trace')
  const exported = `export default ${JSON.stringify(testCampaign)}`
  await writeFile(
    CAMPAIGN_CONFIG,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(trace)}, '')\n${exported}`,
  )
  const { ownerUrl: DATABASE_URL } = await testDatabase(t)
  const file = path.join(folder, 'one.backup')
  const env = { DATA_DIR: path.join(folder, 'data'), CAMPAIGN_CONFIG }
  await runWarm('backup', [file], { ...env, DATABASE_URL })
  await rm(trace)
  await writeFile(CAMPAIGN_CONFIG, exported)
  // Not in a warm process, which would not run a module that it has imported before.
  assertSucceeded(
    await runCommand('restore', ['--rehearse', file], env),
    /ours\.ts is a program that differs from yours, so it was not run/,
  )
  assert.equal(existsSync(trace), false)
})

/** A campaign file `etc/ours.json` with a logo, a database to back up, and an empty one to restore into. */
async function campaignWithLogo(t: TestContext) {
  const folder = await scratchFolder(t)
  const etc = path.join(folder, 'etc')
  const CAMPAIGN_CONFIG = path.join(etc, 'ours.json')
  const text = JSON.stringify({ ...testCampaign, look: { logo: 'logo.png' } })
  await mkdir(etc)
  await writeFile(CAMPAIGN_CONFIG, text)
  await writeFile(path.join(etc, 'logo.png'), 'a logo')
  const { ownerUrl: source } = await testDatabase(t)
  const { url: target } = await emptyDatabase(t)
  const file = path.join(folder, 'one.backup')
  const env = { DATA_DIR: path.join(folder, 'data'), CAMPAIGN_CONFIG }
  return {
    folder,
    etc,
    CAMPAIGN_CONFIG,
    text,
    read: (name: string) => readFile(path.join(etc, name), 'utf8'),
    backUp: () => runWarm('backup', [file], { ...env, DATABASE_URL: source }),
    restore: (args: string[] = [], otherEnv = {}) =>
      runWarm('restore', [file, ...args], { ...env, DATABASE_URL: target, ...otherEnv }),
  }
}

test('a restore brings back a campaign file that is gone, and its pictures', async (t) => {
  const { etc, text, read, backUp, restore } = await campaignWithLogo(t)
  assertSucceeded(await backUp(), /\nIt includes the campaign file .*\/etc\/ours\.json, logo\.png\.\n/)
  await rm(etc, { recursive: true })
  assertSucceeded(
    await restore(),
    /Restored the campaign file .*ours\.json\.\nRestored the picture .*logo\.png\.\n$/,
  )
  assert.equal(await read('ours.json'), text)
  assert.equal(await read('logo.png'), 'a logo')
})

const EDITED = '{ "edited": true }'

test('a restore keeps an edited campaign file beside that of the backup, or replaces it on request', async (t) => {
  const { CAMPAIGN_CONFIG, text, read, backUp, restore } = await campaignWithLogo(t)
  await backUp()
  await writeFile(CAMPAIGN_CONFIG, EDITED)
  assertSucceeded(
    await restore(),
    /ours\.json is not the one of the backup, and was left as it is\. .* is (.*ours\.restored\.json)\.\nBefore you start, set CAMPAIGN_CONFIG=\1, /,
  )
  assert.equal(await read('ours.json'), EDITED)
  assert.equal(await read('ours.restored.json'), text)
  assertSucceeded(
    await restore(['--replace-campaign-file']),
    /ours\.json\. The one that was there is now .*ours\.before-restore\.json\.\n/,
  )
  assert.equal(await read('ours.json'), text)
  assert.equal(await read('ours.before-restore.json'), EDITED)
})

test('a campaign file is restored under its own name when CAMPAIGN_CONFIG has another extension', async (t) => {
  const { folder, text, backUp, restore } = await campaignWithLogo(t)
  await backUp()
  assertSucceeded(
    await restore([], { CAMPAIGN_CONFIG: path.join(folder, 'theirs.ts') }),
    /could not be restored as .*theirs\.ts, so it is now (.*ours\.json)\.\nBefore you start, set CAMPAIGN_CONFIG=\1\.\n/,
  )
  assert.equal(await readFile(path.join(folder, 'ours.json'), 'utf8'), text)
})

test('a campaign file with mistakes is backed up without its pictures, and a rehearsal names the mistakes', async (t) => {
  const { CAMPAIGN_CONFIG, backUp, restore } = await campaignWithLogo(t)
  await writeFile(CAMPAIGN_CONFIG, EDITED)
  const backup = await backUp()
  assert.equal(backup.code, 0)
  assert.match(backup.err, /^Not included: The campaign file .*ours\.json has mistakes, so pictures/)
  const rehearsal = await restore(['--rehearse'])
  assert.equal(rehearsal.code, 1)
  assert.match(rehearsal.out, /In the backup itself, ours\.json: id is missing/)
})

test('a backup without the campaign file says so when it is made and when it is restored', async (t) => {
  const { CAMPAIGN_CONFIG, backUp, restore } = await campaignWithLogo(t)
  await rm(CAMPAIGN_CONFIG)
  assert.match((await backUp()).err, /^Not included: The campaign file .*ours\.json does not exist/)
  assertSucceeded(await restore(), /\nThe backup has no campaign file: use the one that belongs to it/)
})

test('Ctrl-C ends a rehearsal, which leaves no copy of the data behind', async (t) => {
  const { file, dataDir } = await backedUp(t)
  const TMPDIR = await scratchFolder(t)
  const { child, ended } = startCommand('restore', ['--rehearse', file], { DATA_DIR: dataDir, TMPDIR })
  t.after(() => child.kill('SIGKILL'))
  const locateDatabase = async () =>
    realpath(path.join(TMPDIR, (await readdir(TMPDIR))[0] ?? '', 'postgres')).catch(() => '')
  let databaseFolder = ''
  await until('the temporary database has a folder', async () => {
    databaseFolder = await locateDatabase()
    return databaseFolder !== ''
  })
  // Ctrl-C can reach a program twice: from the terminal, and from a parent such as npm.
  for (let times = 1; times <= 2; times += 1) child.kill('SIGINT')
  assertFailed(await ended, 1, 'Interrupted: the temporary database has been removed.\n')
  assert.deepEqual(await readdir(TMPDIR), [])
  assert.equal(existsSync(databaseFolder), false)
})
