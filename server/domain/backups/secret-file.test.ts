import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { newId } from '#server/platform/database/ids.ts'
import { backedUp, campaignDatabase, emptyTarget, SECRET } from '#server/testing/backups.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { backUp } from './back-up.ts'
import { checkBackup, compareSecrets, restore } from './restore.ts'
import { fingerprintOf, finishRestores, prepareSecret } from './secret-file.ts'

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

test('tells whether the backup was made with the secret in use', async (t) => {
  const { file, withoutSecret, target, writeSecret } = await setUpSecrets(t)
  const text = gunzipSync(await readFile(withoutSecret)).toString()
  assert.ok(!text.includes(ENVIRONMENT_SECRET) && text.includes(fingerprintOf(ENVIRONMENT_SECRET)))
  for (const [backup, appSecret, inDataDir, expected] of [
    [file, OTHER_SECRET, undefined, 'other'],
    [withoutSecret, undefined, undefined, 'missing'],
    // The secret came from APP_SECRET, which is unset now. What DATA_DIR holds is another's.
    [withoutSecret, undefined, OTHER_SECRET, 'missing'],
    [withoutSecret, undefined, ENVIRONMENT_SECRET, 'same'],
  ] as const) {
    await writeSecret(inDataDir)
    assert.equal(await compareSecrets({ ...target, appSecret }, await checkBackup(backup)), expected)
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
  const [committed, rolledBack] = [newId(), newId()]
  await writeFile(path.join(dataDir, 'app-secret'), 'old')
  await prepareSecret(dataDir, rolledBack, 'of a restore that was rolled back')
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
