import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { ClusterLocation } from './cluster-location.ts'
import { cleanEnvironment } from './postmaster.ts'

/** Owns and migrates the schema. Access is guarded by the permissions of the socket folder. */
export const OWNER_ROLE = 'dropwright'
/** Serves requests, with the privileges that the owner grants. */
export const SERVING_ROLE = 'dropwright_serving'

/** Creates the cluster if it is missing. A cluster gets its name only once initdb has finished. */
export async function createCluster(location: ClusterLocation): Promise<void> {
  if (existsSync(path.join(location.cluster, 'PG_VERSION'))) return
  await removeStaleDrafts(location)
  const draft = `${location.cluster}.new-${randomUUID()}`
  await mkdir(draft, { mode: 0o700 })
  if (location.account) await chown(draft, location.account.uid, location.account.gid)
  await initdb(location, draft)
  // If another start was faster, uses its cluster: rename does not replace a folder with content.
  await rename(draft, location.cluster).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true })
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
}

async function initdb({ binaries, account }: ClusterLocation, folder: string): Promise<void> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = ['-D', folder, '-U', OWNER_ROLE, '--auth=trust', ...locale, '--no-instructions']
  try {
    await promisify(execFile)(path.join(binaries.folder, 'bin', 'initdb'), args, {
      ...account,
      cwd: '/',
      env: cleanEnvironment(),
    })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    const output = (error as { stderr?: string }).stderr?.trim() || String(error)
    throw new Error(`The database cluster could not be created: ${output}`, { cause: error })
  }
}

const STALE_AFTER_MS = 30 * 60_000

async function removeStaleDrafts({ cluster }: ClusterLocation): Promise<void> {
  const folder = path.dirname(cluster)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${path.basename(cluster)}.new-`)) continue
    const draft = path.join(folder, name)
    // A recent draft may belong to another process, which may have just renamed or removed it.
    const stats = await stat(draft).catch(() => undefined)
    if (stats && Date.now() - stats.mtimeMs > STALE_AFTER_MS)
      await rm(draft, { recursive: true, force: true })
  }
}
