import { createHmac } from 'node:crypto'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '#server/platform/database/data-dir.ts'

/** In DATA_DIR. */
export const SECRET_FILE = 'app-secret'
const PREPARED = `${SECRET_FILE}.restoring-`

/** @returns undefined where there is none: APP_SECRET is in the environment, or the program has not started yet. */
export async function readSecretFile(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(dataDir, SECRET_FILE), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Tells whether two secrets are the same without revealing either. */
export const fingerprintOf = (secret: string): string =>
  createHmac('sha256', secret).update('dropwright backup').digest('hex').slice(0, 16)

/**
 * Writes a secret beside the present one. It takes its place with {@link putInPlace}, once the database of the same
 * restore is committed: after a crash between the two, the next start does it.
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

/** Does nothing when another process was faster. */
export async function putInPlace(dataDir: string, restore: string): Promise<void> {
  try {
    await rename(path.join(dataDir, PREPARED + restore), path.join(dataDir, SECRET_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

export const dropPrepared = (dataDir: string, restore: string): Promise<void> =>
  rm(path.join(dataDir, PREPARED + restore), { force: true })

/** The restores that have prepared a secret and not put it in place. */
export async function preparedRestores(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(() => [])
  return names.filter((name) => name.startsWith(PREPARED)).map((name) => name.slice(PREPARED.length))
}
