import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { createCluster } from '#server/platform/database/embedded/cluster.ts'
import {
  type Account,
  locateCluster,
  unprivilegedAccount,
} from '#server/platform/database/embedded/cluster-location.ts'
import { removeEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import { type Lifetime, makeDataDir } from '../product.ts'
import { findSharedMemory } from './shared-memory.ts'

const run = promisify(execFile)

/** A DATA_DIR with a copied database. initdb takes more than a second of processor time, a copy a tenth. */
export async function makeInitializedDataDir(t: Lifetime): Promise<string> {
  const dataDir = await makeDataDir(t)
  await initializeDataDir(dataDir)
  return dataDir
}

/** @param account the user to whom root gives the DATA_DIR. By default, the current account keeps it. */
export async function initializeDataDir(dataDir: string, account?: Account): Promise<void> {
  template ??= createTemplate()
  const source = await template
  if (!account) {
    await linkSharedMemory(dataDir)
    const { cluster } = await locateCluster(dataDir, () => {})
    await copyWithOwner(source, cluster)
    return
  }
  const folder = path.join(dataDir, 'postgres')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await copyWithOwner(source, path.join(folder, 'cluster'))
  await run('chown', ['-R', `${account.uid}:${account.gid}`, dataDir])
}

/**
 * If this process is root, keeps the database of a DATA_DIR in shared memory: root's `postgres` in a DATA_DIR
 * is always a link to another folder. That folder is removed with the database.
 */
async function linkSharedMemory(dataDir: string): Promise<void> {
  const memory = await findSharedMemory()
  if (process.getuid?.() !== 0 || !memory) return
  const { uid, gid } = await unprivilegedAccount()
  const folder = await mkdtemp(path.join(memory, 'dropwright-cluster-'))
  await chown(folder, uid, gid)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await symlink(folder, path.join(dataDir, 'postgres'))
}

/** Unlike fs.cp, keeps the owner. */
export const copyWithOwner = (source: string, target: string) => run('cp', ['-a', source, target])

/** The folder of a cluster that was never started. */
let template: Promise<string> | undefined
let removeTemplate = async () => {}
// At file level, because a hook inside a test would run after that test.
after(() => removeTemplate())

async function createTemplate(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'dropwright-template-'))
  removeTemplate = async () => {
    await removeEmbeddedPostgres(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }
  await linkSharedMemory(dataDir)
  const location = await locateCluster(dataDir, () => {})
  await createCluster(location)
  return location.cluster
}
