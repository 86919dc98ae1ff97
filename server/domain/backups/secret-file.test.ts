import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { newId } from '#server/platform/database/ids.ts'
import { backedUp, emptyTarget, SECRET } from '#server/testing/backups.ts'
import { testDatabase } from '#server/testing/database/database.ts'
import { scratchFolder } from '#server/testing/scratch-folder.ts'
import { backUp } from './back-up.ts'
import { checkBackup, compareSecrets, restore } from './restore.ts'
import { fingerprintOf, finishRestores, prepareSecret } from './secret-file.ts'

const ENVIRONMENT_SECRET = 'another one, in the environment'
const OTHER_SECRET = 'some other secret of another machine'

test('compares the backup’s secret with the one in use; a restore leaves DATA_DIR’s if APP_SECRET is set', async (t) => {
  const { url, file, dataDir } = await backedUp(t)
  const withoutSecret = path.join(dataDir, 'environment.backup')
  const { needsSecret } = await backUp({ url, dataDir, appSecret: ENVIRONMENT_SECRET }, withoutSecret)
  assert.equal(needsSecret, true)
  const text = gunzipSync(await readFile(withoutSecret)).toString()
  assert.ok(!text.includes(ENVIRONMENT_SECRET) && text.includes(fingerprintOf(ENVIRONMENT_SECRET)))

  const { target } = await emptyTarget(t)
  const secretFile = path.join(target.dataDir, 'app-secret')
  for (const [backup, appSecret, inDataDir, expected] of [
    [file, SECRET, undefined, 'same'],
    [file, OTHER_SECRET, undefined, 'other'],
    [withoutSecret, undefined, undefined, 'missing'],
    // The secret came from APP_SECRET, which is unset now. DATA_DIR holds another secret.
    [withoutSecret, undefined, OTHER_SECRET, 'missing'],
    [withoutSecret, undefined, ENVIRONMENT_SECRET, 'same'],
  ] as const) {
    if (inDataDir !== undefined) await writeFile(secretFile, inDataDir)
    assert.equal(await compareSecrets({ ...target, appSecret }, await checkBackup(backup)), expected)
  }

  const { secret } = await restore({ ...target, appSecret: OTHER_SECRET }, await checkBackup(file))
  assert.equal(secret, 'other')
  assert.equal(await readFile(secretFile, 'utf8'), ENVIRONMENT_SECRET) // the last that the loop wrote
  assert.deepEqual(await readdir(target.dataDir), ['app-secret'])
})

test('the next start finishes a restore that was committed, and forgets one that was not', async (t) => {
  const { db } = await testDatabase(t)
  const dataDir = await scratchFolder(t)
  const [committed, rolledBack] = [newId(), newId()]
  await writeFile(path.join(dataDir, 'app-secret'), 'old')
  await prepareSecret(dataDir, rolledBack, 'of a restore that was rolled back')
  await finishRestores(db, dataDir)
  assert.deepEqual(await readdir(dataDir), ['app-secret'])
  assert.equal(await readFile(path.join(dataDir, 'app-secret'), 'utf8'), 'old')
  await prepareSecret(dataDir, committed, 'restored')
  await db
    .insertInto('backup_runs')
    .values({ id: committed, kind: 'restore', file: 'f', finished_at: new Date() })
    .execute()
  await finishRestores(db, dataDir)
  assert.deepEqual(await readdir(dataDir), ['app-secret'])
  assert.equal(await readFile(path.join(dataDir, 'app-secret'), 'utf8'), 'restored')
})
