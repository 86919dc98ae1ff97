import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chown, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { exists } from './binaries.ts'
import type { ClusterLocation } from './cluster-location.ts'
import { cleanEnvironment } from './postmaster.ts'

/** Owns and migrates everything. Whoever may enter the folder of the socket is let in. */
export const OWNER_ROLE = 'dropwright'
/** Serves, with the rights that the owner grants it. */
export const SERVING_ROLE = 'dropwright_serving'

/** Makes the cluster unless it is there; one that was cut off half-way is never taken for a whole one. */
export async function makeCluster(place: ClusterLocation): Promise<void> {
  if (await exists(path.join(place.cluster, 'PG_VERSION'))) return
  await removeLeftDrafts(place)
  const draft = `${place.cluster}.new-${randomUUID()}`
  await mkdir(draft, { mode: 0o700 })
  if (place.account) await chown(draft, place.account.uid, place.account.gid)
  await initdb(place, draft)
  // Another start may have been faster: a folder that holds something is not replaced.
  await rename(draft, place.cluster).catch(async (error: NodeJS.ErrnoException) => {
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
    const said = (error as { stderr?: string }).stderr?.trim() || String(error)
    throw new Error(`The database could not be made: ${said}`, { cause: error })
  }
}

const HALF_AN_HOUR = 30 * 60_000

async function removeLeftDrafts({ cluster }: ClusterLocation): Promise<void> {
  const folder = path.dirname(cluster)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${path.basename(cluster)}.new-`)) continue
    const draft = path.join(folder, name)
    // A young one may be another process at work.
    if (Date.now() - (await stat(draft)).mtimeMs > HALF_AN_HOUR)
      await rm(draft, { recursive: true, force: true })
  }
}
