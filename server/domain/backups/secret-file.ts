import { createHmac } from 'node:crypto'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '#server/platform/database/data-dir.ts'
import type { Database } from '#server/platform/database/database.ts'
import { SECRET_FILE } from '#server/platform/secrets.ts'

const PREPARED_PREFIX = `${SECRET_FILE}.restoring-`
const preparedFile = (dataDir: string, restoreId: string) => path.join(dataDir, PREPARED_PREFIX + restoreId)

/** A hash by which two secrets can be compared without revealing them. */
export const fingerprintOf = (secret: string): string =>
  createHmac('sha256', secret).update('dropwright backup').digest('hex').slice(0, 16)

/**
 * Writes a secret beside the present one. {@link putSecretInPlace} replaces the present one when the restored
 * database is committed; after a crash in between, {@link finishRestores} does so at the next start.
 */
export async function prepareSecret(dataDir: string, restoreId: string, secret: string): Promise<void> {
  await makeFolder(dataDir, 0o700)
  const file = preparedFile(dataDir, restoreId)
  await writeFile(file, secret, { flag: 'wx', mode: 0o600, flush: true })
}

/** Puts a prepared secret in its place, unless another process was faster. */
export async function putSecretInPlace(dataDir: string, restoreId: string): Promise<void> {
  try {
    await rename(preparedFile(dataDir, restoreId), path.join(dataDir, SECRET_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

export const dropPreparedSecret = (dataDir: string, restoreId: string): Promise<void> =>
  rm(preparedFile(dataDir, restoreId), { force: true })

/**
 * Cleans up after a crash: puts the secret of a committed restore in place, and removes any other prepared
 * secret. No restore is running now: the migrations, which ran before this, have waited for its end.
 */
export async function finishRestores(db: Database, dataDir: string): Promise<void> {
  for (const restoreId of await readPreparedRestores(dataDir)) {
    const run = await db
      .selectFrom('backup_runs')
      .select('id')
      .where('id', '=', restoreId)
      .where('kind', '=', 'restore')
      .executeTakeFirst()
    await (run ? putSecretInPlace(dataDir, restoreId) : dropPreparedSecret(dataDir, restoreId))
  }
}

async function readPreparedRestores(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [])
  const prepared = names.filter((name) => name.startsWith(PREPARED_PREFIX))
  return prepared.map((name) => name.slice(PREPARED_PREFIX.length))
}
