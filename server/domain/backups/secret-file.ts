import { createHmac } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '#server/platform/database/data-dir.ts'
import type { Database } from '#server/platform/database/database.ts'
import { SECRET_FILE } from '#server/platform/secrets.ts'

const PREPARED = `${SECRET_FILE}.restoring-`

/** Equal for equal secrets, without revealing them. */
export const fingerprintOf = (secret: string): string =>
  createHmac('sha256', secret).update('dropwright backup').digest('hex').slice(0, 16)

/**
 * Writes a secret beside the present one. {@link putInPlace} replaces that once the restored database is
 * committed; after a crash in between, the next start does, by {@link finishRestores}.
 */
export async function prepareSecret(dataDir: string, restore: string, secret: string): Promise<void> {
  await makeFolder(dataDir, 0o700)
  const file = await open(path.join(dataDir, PREPARED + restore), 'wx', 0o600)
  try {
    await file.writeFile(secret)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Puts a prepared secret in its place, unless another process was faster. */
export async function putInPlace(dataDir: string, restore: string): Promise<void> {
  try {
    await rename(path.join(dataDir, PREPARED + restore), path.join(dataDir, SECRET_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

export const dropPrepared = (dataDir: string, restore: string): Promise<void> =>
  rm(path.join(dataDir, PREPARED + restore), { force: true })

/**
 * Puts in place the secret of a restore that ended between its commit and its last step, and removes that of a restore
 * that was never committed. No restore is under way: migrations, which come first, wait for one to end.
 */
export async function finishRestores(db: Database, dataDir: string): Promise<void> {
  for (const restore of await preparedRestores(dataDir)) {
    const run = await db
      .selectFrom('backup_runs')
      .select('id')
      .where('id', '=', restore)
      .where('kind', '=', 'restore')
      .executeTakeFirst()
    await (run ? putInPlace(dataDir, restore) : dropPrepared(dataDir, restore))
  }
}

/** The restores that have prepared a secret and not put it in place. */
async function preparedRestores(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [])
  return names.filter((name) => name.startsWith(PREPARED)).map((name) => name.slice(PREPARED.length))
}
