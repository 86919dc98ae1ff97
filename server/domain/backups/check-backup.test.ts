import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { newId } from '#server/platform/database/ids.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { backedUp, campaignDatabase, emptyTarget, rewritten, SECRET } from '#server/testing/backups.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { assertClaimCountsFit } from '#server/testing/checks/ledger-invariants.ts'
import { databaseBefore } from '#server/testing/older-schema.ts'
import { backUp } from './back-up.ts'
import { checkBackup, compareSecrets, restore } from './restore.ts'
import { fingerprintOf, finishRestores, prepareSecret } from './secret-file.ts'

test('refuses a file that is damaged, cut off, of a newer or altered version, or no backup', async (t) => {
  const { file, dataDir } = await backedUp(t)
  const bytes = await readFile(file)
  const text = gunzipSync(bytes).toString()
  // In gzip's own checksum: elsewhere, chance decides what is wrong with the file.
  const flipped = Buffer.from(bytes)
  flipped[bytes.length - 6] = (flipped[bytes.length - 6] ?? 0) ^ 0x10
  const other = path.join(dataDir, 'other')
  const cases: [name: string, content: Buffer, reason: RegExp][] = [
    ['flipped', flipped, /is damaged/],
    ['cut', bytes.subarray(0, bytes.length - 9), /is cut off: its end is missing\.$/],
    ['half', bytes.subarray(0, bytes.length >> 1), /is cut off/],
    ['cut at a line, zipped anew', gzipSync(text.split('\n').slice(0, -2).join('\n')), /is cut off/],
    ['edited', gzipSync(text.replace('@', '+')), /is damaged: its content does not fit its checksum\.$/],
    ['a line too many', gzipSync(`${text}{}\n`), /is damaged/],
    ['a number for a section', gzipSync(text.replace('\n', '\n7\n')), /is damaged\.$/],
    ['nothing', Buffer.alloc(0), /is cut off/],
    ['a text', Buffer.from('no backup, but long enough to be read'), /is not a backup of this program\.$/],
    ['a zipped text', gzipSync('a text\n'), /is not a backup of this program/],
    ['newer', gzipSync(text.replace('"version":2', '"version":3')), /has the format 3 of a newer version/],
  ]
  for (const [name, content, reason] of cases) {
    await writeFile(other, content)
    await assert.rejects(checkBackup(other), reason, name)
  }
  await rewritten(file, other, (backup) => backup.replace('0030_backups.sql', '9030_later.sql'))
  const newer = /is newer than this program, which does not know 9030_later\.sql:/
  await assert.rejects(checkBackup(other), newer)
  await rewritten(file, other, (backup) => backup.replace(/("0001_accounts.sql","sha256":")./, '$1x'))
  await assert.rejects(checkBackup(other), /whose 0001_accounts\.sql differs\./)
})

test('a backup of an earlier version is migrated, and a database of a later one can be replaced', async (t) => {
  const source = await databaseBefore(t, 'claim_counts')
  await source.query(`insert into campaigns (id, slots_total, slots_taken) values ('moon', 9, 1)`)
  const id = newId()
  await source.query(
    `insert into users (id, username, email, email_key, canonical_email, password_hash, referral_code)
     values ($1, 'ann', 'a', 'a', 'a', 'none', 'ANN')`,
    [id],
  )
  await source.query(
    `insert into slots (campaign_id, number, user_id, state) values ('moon', 1, $1, 'claimed')`,
    [id],
  )
  await source.query(
    `insert into claims (id, campaign_id, user_id, slot, wallet, telegram, twitter, post_id, retweet_link)
     values ($1, 'moon', $1, 1, 'w', 't', 'x', 'p', 'https://x.com/p')`,
    [id],
  )
  const folder = await scratchFolder(t)
  const file = path.join(folder, 'older.backup')
  await backUp({ url: source.options.connectionString ?? '', dataDir: folder, appSecret: undefined }, file)

  const { target, pool, db } = await emptyTarget(t)
  await migrate(pool)
  await pool.query(`insert into migrations (name, sha256) values ('9001_later.sql', '')`)
  await pool.query('create table later (a int)')
  const { secret } = await restore(target, await checkBackup(file))
  assert.equal(secret, 'restored', 'the backup needs no secret')
  await assertClaimCountsFit(db)
  await migrate(pool, (line) => assert.fail(`a migration is missing: ${line}`))
  const { rows } = await pool.query(
    `select (select sum(claims)::int from claim_counts) as counted, to_regclass('later') as later`,
  )
  assert.deepEqual(rows, [{ counted: 1, later: null }])
})

const ENVIRONMENT_SECRET = 'another one, in the environment'
const OTHER_SECRET = 'some other secret of another machine'

/** Backups with and without their secret, and an empty target whose secret `writeSecret` sets. */
async function setUpSecrets(t: TestContext) {
  const { url, file, dataDir } = await backedUp(t)
  const withoutSecret = path.join(dataDir, 'environment.backup')
  const { needsSecret } = await backUp({ url, dataDir, appSecret: ENVIRONMENT_SECRET }, withoutSecret)
  assert.equal(needsSecret, true)
  const { target } = await emptyTarget(t)
  const secretFile = path.join(target.dataDir, 'app-secret')
  const writeSecret = (secret: string | undefined) =>
    secret === undefined ? rm(secretFile, { force: true }) : writeFile(secretFile, secret)
  return { file, withoutSecret, target, secretFile, writeSecret }
}

test('tells whether APP_SECRET of the environment, else that of DATA_DIR, is the one that the backup was made with', async (t) => {
  const { file, withoutSecret, target, writeSecret } = await setUpSecrets(t)
  const text = gunzipSync(await readFile(withoutSecret)).toString()
  assert.ok(!text.includes(ENVIRONMENT_SECRET) && text.includes(fingerprintOf(ENVIRONMENT_SECRET)))
  for (const [backup, appSecret, inDataDir, expected] of [
    [file, OTHER_SECRET, undefined, 'other'],
    [withoutSecret, undefined, undefined, 'missing'],
    [withoutSecret, undefined, OTHER_SECRET, 'missing'],
    [withoutSecret, undefined, ENVIRONMENT_SECRET, 'same'],
  ] as const) {
    await writeSecret(inDataDir)
    assert.equal(await compareSecrets({ ...target, appSecret }, await checkBackup(backup), false), expected)
  }
})

test('a restore with APP_SECRET in the environment leaves the secret of DATA_DIR as it is', async (t) => {
  const { file, withoutSecret, target, secretFile, writeSecret } = await setUpSecrets(t)
  for (const [backup, appSecret, inDataDir, expected] of [
    [file, SECRET, undefined, 'same'],
    [withoutSecret, OTHER_SECRET, ENVIRONMENT_SECRET, 'other'],
  ] as const) {
    await writeSecret(inDataDir)
    const { secret } = await restore({ ...target, appSecret }, await checkBackup(backup), { force: true })
    assert.equal(secret, expected)
    assert.equal(await readFile(secretFile, 'utf8').catch(() => undefined), inDataDir)
    assert.equal((await readdir(target.dataDir)).length, inDataDir === undefined ? 0 : 1)
  }
})

test('the next start finishes a restore that was committed, and forgets one that was not', async (t) => {
  const { db, pool } = await campaignDatabase(t, 1)
  const dataDir = await scratchFolder(t)
  const [committed, lost] = [newId(), newId()]
  await writeFile(path.join(dataDir, 'app-secret'), 'old')
  await prepareSecret(dataDir, lost, 'of a restore that was rolled back')
  await finishRestores(db, dataDir)
  assert.deepEqual(await readdir(dataDir), ['app-secret'])
  assert.equal(await readFile(path.join(dataDir, 'app-secret'), 'utf8'), 'old')
  await prepareSecret(dataDir, committed, 'restored')
  await pool.query(
    `insert into backup_runs (id, kind, file, finished_at) values ($1, 'restore', 'f', now())`,
    [committed],
  )
  await finishRestores(db, dataDir)
  assert.deepEqual(await readdir(dataDir), ['app-secret'])
  assert.equal(await readFile(path.join(dataDir, 'app-secret'), 'utf8'), 'restored')
})
