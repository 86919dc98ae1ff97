import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { maxConnections } from '../connections.ts'
import { assertWritable, inDataDir, makeFolder } from '../data-dir.ts'
import { type Binaries, installedBinaries, createRootFolder, reachableBinaries } from './binaries.ts'

/** The account that PostgreSQL runs as, as options of `spawn`. */
export type Account = { uid: number; gid: number }

export type ClusterLocation = {
  /** DATA_DIR as the operator wrote it, for messages. */
  dataDir: string
  /** PGDATA. */
  cluster: string
  /** Folder of the Unix socket; only the account and root may enter. */
  socket: string
  log: string
  maxConnections: number
  binaries: Binaries
  /** Undefined for the account of this process. */
  account: Account | undefined
}

/**
 * @param log receives one line when the data is not in DATA_DIR.
 * @param connections how many PostgreSQL has to allow; it allows at least its default.
 */
export async function locateCluster(
  dataDir: string,
  log: (line: string) => void,
  connections = 0,
): Promise<ClusterLocation> {
  const isRoot = process.getuid?.() === 0
  const folder = await inDataDir(dataDir, async () => {
    await makeFolder(dataDir, 0o700)
    const entry = path.join(await realpath(dataDir), 'postgres')
    return isRoot ? findOrLinkFolder(entry) : createPrivateFolder(entry)
  })
  const account = isRoot ? await ownerOf(folder) : undefined
  if (isRoot)
    log(`PostgreSQL does not run as root: it runs as uid ${account?.uid} with its data in ${folder}`)
  const binaries = await installedBinaries()
  return {
    dataDir,
    cluster: path.join(folder, 'cluster'),
    socket: await socketFolder(folder, account),
    log: path.join(folder, 'postgres.log'),
    maxConnections: maxConnections(connections),
    binaries: isRoot ? await reachableBinaries(binaries) : binaries,
    account,
  }
}

/** Deletes the database of a DATA_DIR, wherever it is. PostgreSQL must not be running. */
export async function removeCluster(dataDir: string): Promise<void> {
  const entry = path.join(dataDir, 'postgres')
  const folder = await realpath(entry).catch(() => undefined)
  if (folder) await rm(shortSocketFolder(folder), { recursive: true, force: true })
  if (folder) await rm(folder, { recursive: true, force: true })
  await rm(entry, { force: true })
}

async function createPrivateFolder(entry: string): Promise<string> {
  const link = await readlink(entry).catch(() => undefined)
  if (link) throw new Error(`${entry} was created by root; start as root, or choose another DATA_DIR.`)
  await makeFolder(entry, 0o700)
  await assertWritable(entry)
  return entry
}

const ROOT_DATA_FOLDER = '/var/lib/dropwright'

/**
 * The unprivileged account cannot reach a DATA_DIR below a folder of mode 700. If root starts the program,
 * `postgres` in DATA_DIR is therefore a link to a folder that this account can reach. That folder has a
 * random name, so that a DATA_DIR that is deleted and made again does not get the old data.
 */
async function findOrLinkFolder(entry: string): Promise<string> {
  const existing = await lstat(entry).catch(() => undefined)
  if (!existing) {
    await assertWritable(path.dirname(entry))
    await linkNewFolder(entry)
  }
  if (existsSync(entry)) return realpath(entry)
  throw new Error(
    `The database of ${path.dirname(entry)} is gone: ${entry} points to ${await readlink(entry)}. ` +
      `Restore that folder, or delete the link to start with an empty database.`,
  )
}

async function linkNewFolder(entry: string): Promise<void> {
  const account = await unprivilegedAccount()
  await createRootFolder(ROOT_DATA_FOLDER)
  const folder = path.join(ROOT_DATA_FOLDER, shortHash(entry + randomUUID()))
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, account.uid, account.gid)
  // If another start was faster, use its link.
  await symlink(folder, entry).catch(() => rm(folder, { recursive: true }))
}

async function ownerOf(folder: string): Promise<Account> {
  const { uid, gid } = await stat(folder)
  return uid === 0 ? unprivilegedAccount() : { uid, gid }
}

const runFile = promisify(execFile)

const ACCOUNT_NAME = 'dropwright'
/** Created by the distribution's PostgreSQL; used only if our own account cannot be created. */
const FALLBACK_ACCOUNT_NAME = 'postgres'

/** The system account with which root runs PostgreSQL; created if missing. @throws if that is impossible. */
export async function unprivilegedAccount(): Promise<Account> {
  const account =
    (await findSystemAccount(ACCOUNT_NAME)) ??
    (await createSystemAccount(ACCOUNT_NAME)) ??
    (await findSystemAccount(FALLBACK_ACCOUNT_NAME))
  if (account) return account
  throw new Error(
    `PostgreSQL does not run as root: add a system user named ${ACCOUNT_NAME}, or start as an ordinary user.`,
  )
}

async function createSystemAccount(name: string): Promise<Account | undefined> {
  const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
  try {
    await runFile('useradd', ['--system', '--user-group', ...home, name])
  } catch {
    // Alpine has adduser. Another process may also have just added the user, hence the lookup below.
    await runFile('adduser', ['-S', '-D', '-H', name]).catch(() => {})
  }
  return findSystemAccount(name)
}

export async function findSystemAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([runFile('id', ['-u', name]), runFile('id', ['-g', name])])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

/** The longest path of a Unix socket: macOS has 104 bytes for it with its final zero, Linux 108. */
const MAX_SOCKET_PATH_BYTES = 103

async function socketFolder(folder: string, account: Account | undefined): Promise<string> {
  if (Buffer.byteLength(path.join(folder, '.s.PGSQL.5432')) <= MAX_SOCKET_PATH_BYTES) return folder
  const short = shortSocketFolder(folder)
  const isNew = await mkdir(short, { mode: 0o700 }).then(
    () => true,
    () => false,
  )
  if (isNew && account) await chown(short, account.uid, account.gid)
  const stats = await lstat(short)
  const isPrivateFolder = stats.isDirectory() && (stats.mode & 0o077) === 0
  const isOurs = stats.uid === (account?.uid ?? process.getuid?.())
  if (!isOurs || !isPrivateFolder)
    throw new Error(`${short} belongs to another user; choose a DATA_DIR with a shorter path.`)
  await chmod(short, 0o700)
  return short
}

// Not os.tmpdir(): commands with another TMPDIR must find the same socket.
const shortSocketFolder = (folder: string) => path.join('/tmp', `dropwright-${shortHash(folder)}`)

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)
